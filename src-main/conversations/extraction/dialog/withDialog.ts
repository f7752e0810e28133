import type { ChatSnapshot, ExtractedMessage, Extraction } from '../../../contract/chat/extractor.ts';
import { type Dialog, findDialog } from './findDialog.ts';

const APPROVAL =
  /\b(?:allow|approve|permission|trust|proceed|do you want to|would you like to|exit plan mode)\b|^(?:\d+[.)] )?Yes\b/im;
/** Confidence of a question found by its shape alone. */
const CONFIDENCE = 0.8;

/**
 * Corrects an extraction if the bottom of the screen shows a question: the agent waits, and no row of the question belongs to another
 * message.
 */
export function withDialog(extraction: Extraction, snapshot: ChatSnapshot): Extraction {
  if (extraction.state === 'exited') return extraction;
  const dialog = findDialog(snapshot);
  // If the extractor sees an input box, a list beside it is a menu of completions, or a list in an answer.
  if (dialog === null || (!dialog.isSure && extraction.draft !== undefined)) return extraction;
  const { draft: _, isShell: __, ...rest } = extraction;
  return {
    ...rest,
    ...waiting(extraction, dialog),
    messages: messagesWith(extraction.messages, dialog),
    isCovered: true,
  };
}

function waiting({ state, evidence }: Extraction, { text, options }: Dialog): Pick<Extraction, 'state' | 'evidence'> {
  if (state === 'needs_approval' || state === 'needs_input') return { state, evidence };
  const lines = text.split('\n');
  const line = lines.find((own) => own.endsWith('?')) ?? lines[0] ?? options[0] ?? '';
  return { state: APPROVAL.test(text) ? 'needs_approval' : 'needs_input', evidence: { rule: 'dialog.rows', line } };
}

function messagesWith(messages: readonly ExtractedMessage[], dialog: Dialog): ExtractedMessage[] {
  const asked = messages.findLast(
    ({ kind, fromRow, toRow }) => kind === 'permission' && fromRow <= dialog.from && toRow > dialog.from,
  );
  const said = messages.filter(({ kind, toRow }) => kind !== 'permission' && toRow <= dialog.from);
  const { options, pointed, firstNumber } = dialog;
  const own = asked ?? {
    kind: 'permission' as const,
    text: dialog.text,
    fromRow: dialog.from,
    toRow: dialog.to,
    isHeadCut: false,
    isOpen: true,
    confidence: CONFIDENCE,
  };
  const apart = messages.filter(
    (message) => message.kind === 'permission' && message !== asked && message.toRow <= dialog.from,
  );
  const question = { options, pointed, firstNumber };
  return [...said, ...apart, { ...own, question }].sort((a, b) => a.fromRow - b.fromRow);
}
