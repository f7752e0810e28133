/** The part of a command that stands in a card's head. */
export interface CommandView {
  text: string;
  /** Lines behind the "+ n lines"; 0 when all of it is shown. */
  hiddenLines: number;
}

/** A headline goes on over about five rows; what is longer is a document. */
const MAX_CLOSED_CHARS = 400;
/** As much of a command as is ever drawn; the whole of it can be copied. */
const MAX_OPEN_CHARS = 20_000;

/** First line when closed, everything when open. The final newline of a here-document is no line of its own. */
export function commandView(cmd: string, isOpen: boolean): CommandView {
  const text = cmd.replace(/\n+$/, '');
  if (isOpen) return { text: cut(text, MAX_OPEN_CHARS), hiddenLines: 0 };
  const [first = '', ...rest] = text.split('\n');
  const isCut = first.length > MAX_CLOSED_CHARS;
  return { text: cut(first, MAX_CLOSED_CHARS), hiddenLines: rest.length + (isCut ? 1 : 0) };
}

function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '')}…`; // not half a character
}
