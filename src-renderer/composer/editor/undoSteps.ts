import { history, isolateHistory } from '@codemirror/commands';
import { EditorState, type Extension, StateField, type Transaction } from '@codemirror/state';

const lastKind = StateField.define<string>({
  create: () => '',
  update: (kind, transaction) => (transaction.docChanged ? kindOf(transaction) : kind),
});

/**
 * Typing and deleting are separate steps, as in VS Code: CodeMirror joins all that follows within half a second, so that undo would take more than
 * the last deed.
 */
export const undoSteps: Extension = [
  history(),
  lastKind,
  EditorState.transactionExtender.of((transaction) =>
    transaction.docChanged && kindOf(transaction) !== transaction.startState.field(lastKind)
      ? { annotations: isolateHistory.of('before') }
      : null,
  ),
];

function kindOf(transaction: Transaction): string {
  return transaction.isUserEvent('delete') ? 'delete' : 'input';
}
