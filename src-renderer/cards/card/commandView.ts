/** The part of a command that stands in a card's head. */
export interface CommandView {
  text: string;
  /** Lines behind the "+ n lines"; 0 when all of it is shown. */
  hiddenLines: number;
}

/** A headline has two lines. */
const CLOSED_LINES = 2;
/** More than two rows of the widest window show; what is longer is a document. */
const MAX_CLOSED_CHARS = 800;
/** Shorter text fits into two rows of the narrowest card. */
const FITTING_CHARS = 60;
/** As much of a command as is ever drawn; the whole of it can be copied. */
const MAX_OPEN_CHARS = 20_000;

/** Whether a closed command may take more than two rows, so that its height must be looked at. */
export function mayBeClamped(text: string): boolean {
  return text.length > FITTING_CHARS;
}

/** Two lines when closed, everything when open. The final newline of a here-document does not count as a line. */
export function commandView(cmd: string, isOpen: boolean): CommandView {
  const text = cmd.replace(/\n+$/, '');
  if (isOpen) return { text: cut(text, MAX_OPEN_CHARS), hiddenLines: 0 };
  const lines = text.split('\n');
  const shown = lines.slice(0, CLOSED_LINES).join('\n');
  const isCut = shown.length > MAX_CLOSED_CHARS;
  return {
    text: cut(shown, MAX_CLOSED_CHARS),
    hiddenLines: Math.max(0, lines.length - CLOSED_LINES) + (isCut ? 1 : 0),
  };
}

function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '')}…`; // not half a character
}
