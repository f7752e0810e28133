import type { AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import { fillCommand } from '../savedCommands/placeholders.ts';
import { askTrust } from '../savedCommands/savedActions.ts';
import type { TerminalState } from '../tabs/TerminalState.svelte.ts';
import type { Composer } from './Composer.svelte.ts';
import type { LineEditor } from './editor/LineEditor.ts';
import type { Piece } from './foldKeys.ts';
import { firstWord } from './GhostText.svelte.ts';
import type { ComposerCommand, EditorView } from './line/composerKeys.ts';
import { submitDraft, typeInto } from './submitDraft.ts';

/** The objects that the commands act on. */
export interface Desk {
  app: AppState;
  terminal: TerminalState;
  composer: Composer;
  editor: LineEditor;
}

/** Control characters that go to the shell or the program at once. */
const BYTES: Partial<Record<ComposerCommand, string>> = { interrupt: '\x03', endOfInput: '\x04', clearScreen: '\x0c' };

const CARET_LEFT = '\x1b[D';

export async function runCommand(command: ComposerCommand, desk: Desk, view: EditorView): Promise<void> {
  const { app, terminal, composer, editor } = desk;
  switch (command) {
    case 'submit':
      composer.sent();
      return submitDraft(app, terminal);
    case 'interrupt':
      // As at a shell's prompt, the text is discarded.
      if (view.text !== '') editor.apply({ from: 0, to: view.text.length, insert: '' });
      if (view.text === '' || terminal.isRunning) await sendBytes(desk, command);
      return;
    case 'endOfInput':
    case 'clearScreen':
      return sendBytes(desk, command);
    case 'older':
    case 'newer':
      return walkHistory(desk, command);
    case 'complete':
      return composer.complete(view.text, view.start, (edit) => editor.apply(edit));
    case 'choiceNext':
      return composer.step(1);
    case 'choicePrevious':
      return composer.step(-1);
    case 'choiceTake':
      return take(desk);
    case 'ghostTake':
    case 'ghostWord': {
      const { rest } = composer.ghost;
      const end = view.text.length;
      editor.apply({ from: end, to: end, insert: command === 'ghostTake' ? rest : firstWord(rest) });
      return composer.closeChoices(); // the insertion is not typing, so no choices open
    }
    case 'yank':
      return editor.apply({ from: view.start, to: view.end, insert: terminal.kills.text });
    case 'lastWord':
      return insertLastWord(desk, view);
    case 'choiceClose':
      return composer.closeChoices();
    case 'fieldNext':
      return editor.goToField('next');
    case 'fieldPrevious':
      return editor.goToField('previous');
    case 'fieldsEnd':
      return editor.goToField('end');
    case 'fieldOpen':
      app.notices.say(strings.saved.fieldOpen(composer.field?.open?.name ?? ''));
      return editor.goToField('open');
    default:
      terminal.kills.take(command, view);
      return editor.run(command);
  }
}

export async function take({ app, composer, editor }: Desk, at = composer.chosenAt): Promise<void> {
  const choice = composer.choices[at];
  const { text } = editor.look();
  if (choice?.asksTrust) {
    composer.closeChoices();
    await askTrust(app);
    return composer.readSaved();
  }
  if (choice?.saved) {
    const filled = fillCommand(choice.saved);
    editor.fill({ from: 0, to: text.length, insert: filled.text }, filled.fields);
    return composer.filled();
  }
  const edit = composer.take(at);
  if (!edit) return;
  editor.apply(edit);
  editor.focus();
}

/** Keys typed during the lookup are inserted after the word, also in the middle of a line. */
function insertLastWord({ app, terminal, composer, editor }: Desk, view: EditorView): Promise<void> {
  const after = Array.from(view.text.slice(view.end)).length;
  const back = { text: CARET_LEFT.repeat(after), isPaste: false };
  const type = (pieces: readonly Piece[]) => pieces.length > 0 && typeInto(app, terminal, [back, ...pieces]);
  const insert = async () => {
    const edit = await composer.lastWords.next(view);
    if (edit && editor.look().text === view.text) editor.apply(edit);
  };
  // A placeholder gets its keys at once, and Return does not send a line with unfilled placeholders.
  return composer.fields ? insert() : composer.hold({ type }, insert);
}

/** Text from history does not count as typing, so the walk continues from it. */
export function walkHistory(desk: Desk, by: 'older' | 'newer', then: readonly Piece[] = []): Promise<void> {
  const { app, terminal, composer, editor } = desk;
  return composer.walk(by, {
    then,
    show: (text) => {
      terminal.draft = text;
      editor.show(text);
    },
    type: (pieces) => typeInto(app, terminal, pieces),
  });
}

async function sendBytes({ app, terminal }: Desk, command: ComposerCommand): Promise<void> {
  const data = BYTES[command];
  if (data) await app.rpc.terminal.write({ id: terminal.id, data });
}
