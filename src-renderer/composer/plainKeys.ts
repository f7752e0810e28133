import type { Piece } from './foldKeys.ts';
import type { Press } from './line/composerKeys.ts';

/** Keys without text, as a terminal in its first modes sends them (ECMA-48, xterm's ctlseqs). */
const NAMED: Readonly<Record<string, string>> = {
  Enter: '\r',
  Backspace: '\x7f',
  Tab: '\t',
  Escape: '\x1b',
  Delete: '\x1b[3~',
  ArrowUp: '\x1b[A',
  ArrowDown: '\x1b[B',
  ArrowRight: '\x1b[C',
  ArrowLeft: '\x1b[D',
  Home: '\x1b[H',
  End: '\x1b[F',
};

/** The bytes that a key without text sends to a program; undefined for text, a paste, or a key that terminals do not send. */
export function plainKey({ key, ctrlKey, altKey, metaKey, shiftKey }: KeyboardEvent): string | undefined {
  if (altKey || metaKey) return undefined;
  if (!ctrlKey) return shiftKey && key !== 'Enter' && key !== 'Backspace' ? undefined : NAMED[key];
  const isControl = /^[a-z]$/.test(key) && key !== 'v';
  return isControl && !shiftKey ? String.fromCharCode(key.charCodeAt(0) - 0x60) : undefined;
}

/** The piece that a key press adds to a line that is typed later; undefined if the key is not kept. */
export function pieceOf(event: KeyboardEvent): Piece | undefined {
  const { key, ctrlKey, altKey, metaKey, shiftKey } = event;
  // Shift+Return and Alt+Return break the line in the composer, but a program would get Return.
  if (key === 'Enter' && (shiftKey || altKey) && !ctrlKey && !metaKey) return { text: '\n', isPaste: true };
  const text = plainKey(event) ?? textOf(event);
  return text === undefined ? undefined : { text, isPaste: false };
}

/** The character of a key. AltGr counts as Ctrl and Alt, but writes a character. */
function textOf(event: KeyboardEvent): string | undefined {
  const { key, ctrlKey, altKey, metaKey } = event;
  const isHeld = (ctrlKey || altKey || metaKey) && !event.getModifierState('AltGraph');
  return !isHeld && Array.from(key).length === 1 ? key : undefined;
}

/** Applies `terminal.optionAsMeta`: uses the key by its position if Option, or Alt in another script, made another character of it (`∫` for B). */
export function metaPress(event: KeyboardEvent): Press {
  const { key, code, ctrlKey, altKey, metaKey, shiftKey } = event;
  const isChanged = altKey && !ctrlKey && !metaKey && Array.from(key).length === 1 && key > '~';
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  const placed = code === 'Period' ? '.' : letter?.toLowerCase();
  return isChanged && placed ? { key: placed, ctrlKey, altKey, metaKey, shiftKey } : event;
}
