/** The part of a command that a card's head shows. */
export interface CommandView {
  text: string;
  /** Number of lines behind "+ n lines"; 0 when the head shows the whole command. */
  hiddenLines: number;
}

/** Lines that a closed head shows. */
const CLOSED_LINES = 2;
/** More than two rows of the widest window. */
const MAX_CLOSED_CHARS = 800;
/** Shorter text fits into two rows of the narrowest card. */
const FITTING_CHARS = 60;
/** Most characters of a command that are drawn. Copy takes the whole command. */
const MAX_OPEN_CHARS = 20_000;

/** Whether a closed command may take more than two rows, so that its height has to be measured. */
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
  return `${text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '')}…`; // avoids half of a surrogate pair
}
