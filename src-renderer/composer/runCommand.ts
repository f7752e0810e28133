import type { AppState } from '../app/AppState.svelte.ts';
import type { TerminalState } from '../tabs/TerminalState.svelte.ts';
import type { Composer } from './Composer.svelte.ts';
import { type ComposerCommand, caretMove, type EditorView, lineEdit } from './composerKeys.ts';
import { applyEdit, replaceText } from './edit.ts';
import { submitDraft } from './submitDraft.ts';

/** What the commands act on. */
export interface Desk {
  app: AppState;
  terminal: TerminalState;
  composer: Composer;
  area: HTMLTextAreaElement;
}

/** Control characters that go to the shell or the program at once. */
const BYTES: Partial<Record<ComposerCommand, string>> = { interrupt: '\x03', endOfInput: '\x04', clearScreen: '\x0c' };

export async function runCommand(command: ComposerCommand, desk: Desk, view: EditorView): Promise<void> {
  const { app, terminal, composer, area } = desk;
  switch (command) {
    case 'submit':
      composer.typed();
      return submitDraft(app, terminal);
    case 'interrupt':
      // As at a shell's prompt: what stands there is given up.
      if (view.text !== '') replaceText(area, '');
      if (view.text === '' || terminal.isRunning) await sendBytes(desk, command);
      return;
    case 'endOfInput':
    case 'clearScreen':
      return sendBytes(desk, command);
    case 'older':
    case 'newer': {
      const text = command === 'older' ? await composer.older() : composer.newer();
      if (text !== undefined) writeKeepingWalk(desk, text);
      return;
    }
    case 'complete':
      return complete(desk, view);
    case 'choiceNext':
      return composer.step(1);
    case 'choicePrevious':
      return composer.step(-1);
    case 'choiceTake':
      return take(desk);
    case 'choiceClose':
      return composer.closeChoices();
    default:
      return editLine(command, area, view);
  }
}

export function take({ composer, area }: Desk, at?: number): void {
  const edit = composer.take(at);
  if (edit) applyEdit(area, edit);
}

async function complete({ composer, area }: Desk, { text, start }: EditorView): Promise<void> {
  const edit = await composer.complete(text, start);
  if (!edit) return;
  const { choices } = composer;
  applyEdit(area, edit);
  composer.choices = choices; // the edit counts as typing, which takes offers away
}

/** Text from history is not typing: the walk goes on from it. */
function writeKeepingWalk({ terminal, area }: Desk, text: string): void {
  terminal.draft = text;
  area.value = text;
  area.setSelectionRange(text.length, text.length);
}

function editLine(command: ComposerCommand, area: HTMLTextAreaElement, view: EditorView): void {
  const edit = lineEdit(command, view);
  if (edit) applyEdit(area, edit);
  const caret = caretMove(command, view);
  if (caret !== undefined) area.setSelectionRange(caret, caret);
}

async function sendBytes({ app, terminal }: Desk, command: ComposerCommand): Promise<void> {
  const data = BYTES[command];
  if (data) await app.rpc.terminal.write({ id: terminal.id, data });
}
