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

/** What a key that writes no character sends to a program; undefined where it is text, a paste or none of a terminal's keys. */
export function plainKey({ key, ctrlKey, altKey, metaKey, shiftKey }: KeyboardEvent): string | undefined {
  if (altKey || metaKey) return undefined;
  if (!ctrlKey) return shiftKey && key !== 'Enter' && key !== 'Backspace' ? undefined : NAMED[key];
  const isControl = /^[a-z]$/.test(key) && key !== 'v';
  return isControl && !shiftKey ? String.fromCharCode(key.charCodeAt(0) - 0x60) : undefined;
}

/** The character that a key writes; AltGr is Ctrl and Alt where it does. */
export function textOf(event: KeyboardEvent): string | undefined {
  const { key, ctrlKey, altKey, metaKey } = event;
  const isHeld = (ctrlKey || altKey || metaKey) && !event.getModifierState('AltGraph');
  return !isHeld && Array.from(key).length === 1 ? key : undefined;
}
