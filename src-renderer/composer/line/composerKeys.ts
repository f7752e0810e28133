import { bigWordStart, charEnd, charStart, wordEnd, wordStart } from './lineWords.ts';

/** The effect of a key press in the command editor. */
export type ComposerCommand =
  | 'submit'
  | 'newline'
  | 'older'
  | 'newer'
  | 'complete'
  | 'choiceNext'
  | 'choicePrevious'
  | 'choiceTake'
  | 'choiceClose'
  | 'fieldNext'
  | 'fieldPrevious'
  | 'fieldOpen'
  | 'fieldsEnd'
  | 'ghostTake'
  | 'ghostWord'
  | 'interrupt'
  | 'endOfInput'
  | 'clearScreen'
  | 'lineStart'
  | 'lineEnd'
  | 'killToStart'
  | 'killToEnd'
  | 'killWord'
  | 'killWordLeft'
  | 'killWordRight'
  | 'wordLeft'
  | 'wordRight'
  | 'deleteLeft'
  | 'deleteRight'
  | 'yank'
  | 'lastWord';

export interface Press {
  key: string;
  ctrlKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  metaKey: boolean;
}

export interface EditorView {
  text: string;
  start: number;
  end: number;
  /** Completions are shown. */
  hasChoices: boolean;
  /** The completions opened while typing, and none is selected. */
  isUnasked?: boolean;
  /** Placeholders are being filled in; `open`: at least one has no text of the person yet. */
  fields?: 'open' | 'filled' | undefined;
  /** Ghost text is shown. */
  hasGhost?: boolean;
  /** Text was killed, so Ctrl+Y inserts it; else the editor handles Ctrl+Y. */
  hasKilled?: boolean;
}

/** Keys of the shells' line editors, unless the browser needs them. */
const CTRL: Readonly<Record<string, ComposerCommand>> = {
  l: 'clearScreen',
  a: 'lineStart',
  e: 'lineEnd',
  u: 'killToStart',
  k: 'killToEnd',
  w: 'killWord',
  p: 'older',
  n: 'newer',
  h: 'deleteLeft',
};

const ALT: Readonly<Record<string, ComposerCommand>> = {
  b: 'wordLeft',
  f: 'wordRight',
  d: 'killWordRight',
  Backspace: 'killWordLeft',
  '.': 'lastWord',
};

/** undefined: the editor handles the key. */
export function composerCommand(press: Press, view: EditorView): ComposerCommand | undefined {
  const { ctrlKey, altKey, shiftKey, metaKey } = press;
  if (altKey && press.key === 'Enter' && !ctrlKey && !metaKey) return 'newline';
  const ghost = withGhost(press, view);
  if (ghost) return ghost;
  if (altKey && !ctrlKey && !metaKey && !shiftKey) return ALT[press.key];
  if (altKey || metaKey) return undefined;
  if (ctrlKey) return shiftKey ? undefined : (withList(asArrow(press), view) ?? withCtrl(press.key, view));
  const choice = withList(press, view);
  if (choice) return choice;
  const field = view.fields && withFields(press, view.fields);
  if (field) return field;
  if (press.key === 'Enter') return shiftKey ? 'newline' : 'submit';
  if (shiftKey) return undefined;
  if (press.key === 'Tab') return 'complete';
  if (press.key === 'ArrowUp' && isOnFirstLine(view)) return 'older';
  if (press.key === 'ArrowDown' && isOnLastLine(view)) return 'newer';
  return undefined;
}

function withCtrl(key: string, view: EditorView): ComposerCommand | undefined {
  // With a selection, Ctrl+C copies it; otherwise it interrupts, as in every shell.
  if (key === 'c') return view.start === view.end ? 'interrupt' : undefined;
  if (key === 'd') return view.text === '' ? 'endOfInput' : 'deleteRight';
  if (key === 'y') return view.hasKilled ? 'yank' : undefined;
  return CTRL[key];
}

/** Ctrl+N and Ctrl+P act as arrow keys in an open list; other keys with Ctrl do nothing there. */
function asArrow({ key, ...held }: Press): Press {
  return { ...held, key: key === 'n' ? 'ArrowDown' : key === 'p' ? 'ArrowUp' : '' };
}

function withList(press: Press, view: EditorView): ComposerCommand | undefined {
  if (!view.hasChoices) return undefined;
  return view.isUnasked ? withUnasked(press, view) : withChoices(press);
}

function withChoices({ key, shiftKey }: Press): ComposerCommand | undefined {
  if (key === 'ArrowDown' || (key === 'Tab' && !shiftKey)) return 'choiceNext';
  if (key === 'ArrowUp' || (key === 'Tab' && shiftKey)) return 'choicePrevious';
  if (key === 'Enter' && !shiftKey) return 'choiceTake';
  return key === 'Escape' ? 'choiceClose' : undefined;
}

/** Return in a placeholder must not send a command with unfilled placeholders. */
function withFields({ key, shiftKey }: Press, fields: 'open' | 'filled'): ComposerCommand | undefined {
  if (key === 'Tab') return shiftKey ? 'fieldPrevious' : 'fieldNext';
  if (key === 'Escape') return 'fieldsEnd';
  return key === 'Enter' && !shiftKey && fields === 'open' ? 'fieldOpen' : undefined;
}

/** Keys that move right accept ghost text when the caret is at the end. */
function withGhost({ key, ctrlKey, altKey, shiftKey, metaKey }: Press, view: EditorView): ComposerCommand | undefined {
  const isAtEnd = view.start === view.text.length;
  if (!view.hasGhost || !isAtEnd || shiftKey || metaKey) return undefined;
  if (altKey && !ctrlKey && key === 'f') return 'ghostWord';
  if (ctrlKey || altKey) return key === 'ArrowRight' && ctrlKey !== altKey ? 'ghostWord' : undefined;
  return key === 'ArrowRight' || key === 'End' ? 'ghostTake' : undefined;
}

/** All other keys work as without choices, because choices may appear between two keys. */
function withUnasked({ key, shiftKey }: Press, view: EditorView): ComposerCommand | undefined {
  if (key === 'ArrowDown' && !shiftKey && isOnLastLine(view)) return 'choiceNext';
  return key === 'Escape' ? 'choiceClose' : undefined;
}

function isOnFirstLine({ text, start, end }: EditorView): boolean {
  return start === end && !text.slice(0, start).includes('\n');
}

function isOnLastLine({ text, start, end }: EditorView): boolean {
  return start === end && !text.slice(end).includes('\n');
}

/** Replaces `text.slice(from, to)` with `insert`. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
}

const KILLS: ReadonlySet<ComposerCommand> = new Set([
  'killToStart',
  'killToEnd',
  'killWord',
  'killWordLeft',
  'killWordRight',
]);
const DELETES: ReadonlySet<ComposerCommand> = new Set([...KILLS, 'deleteLeft', 'deleteRight']);

/** The text that a kill cuts, for Ctrl+Y; '' if it cuts nothing or the command is not a kill. */
export function killed(command: ComposerCommand, view: EditorView): string {
  const edit = KILLS.has(command) ? lineEdit(command, view) : undefined;
  return edit ? view.text.slice(edit.from, edit.to) : '';
}

/** The edit of a line editing command. It acts on the selection if there is one. */
export function lineEdit(command: ComposerCommand, { text, start, end }: EditorView): Edit | undefined {
  if (command === 'newline') return { from: start, to: end, insert: '\n' };
  if (start !== end && DELETES.has(command)) return { from: start, to: end, insert: '' };
  const before = text.slice(0, start);
  switch (command) {
    case 'killToStart':
      return { from: before.lastIndexOf('\n') + 1, to: end, insert: '' };
    case 'killToEnd': {
      const lineEnd = endOfLine(text, end);
      // At the end of a line it cuts the line break, as readline and zle do.
      return { from: start, to: end === lineEnd ? Math.min(text.length, lineEnd + 1) : lineEnd, insert: '' };
    }
    case 'killWord':
      return { from: bigWordStart(text, start), to: end, insert: '' };
    case 'killWordLeft':
      return { from: wordStart(text, start), to: end, insert: '' };
    case 'killWordRight':
      return { from: start, to: wordEnd(text, end), insert: '' };
    case 'deleteLeft':
      return { from: charStart(text, start), to: end, insert: '' };
    case 'deleteRight':
      return { from: start, to: charEnd(text, end), insert: '' };
    default:
      return undefined;
  }
}

/** The caret's new position. */
export function caretMove(command: ComposerCommand, { text, start, end }: EditorView): number | undefined {
  if (command === 'lineStart') return text.slice(0, start).lastIndexOf('\n') + 1;
  if (command === 'lineEnd') return endOfLine(text, end);
  if (command === 'wordLeft') return wordStart(text, start);
  return command === 'wordRight' ? wordEnd(text, end) : undefined;
}

function endOfLine(text: string, from: number): number {
  const lineBreak = text.indexOf('\n', from);
  return lineBreak < 0 ? text.length : lineBreak;
}
