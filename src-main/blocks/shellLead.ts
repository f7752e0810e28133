/** Longer than what a shell writes there, with a title that holds a whole command line. */
const MAX_LEAD_BYTES = 8192;

/** Modes, keyboard protocols, queries, colours and character sets; strings that end in BEL or ST. */
const SEQUENCE =
  /\x1b\[[?<=>]?[0-9;:]*[ -/]?[hlmucnqp]|\x1b[=>]|\x1b\([0-9A-Z]|\x0f|\x1b[\]P][^\x07\x1b]*(?:\x07|\x1b\\)/y;
const TO_BE_SEQUENCE = /^\x1b(?:\[[?<=>]?[0-9;:]*[ -/]?|\(|[\]P][^\x07\x1b]*\x1b?)?$/;
const TITLE = /^\x1b\][012];/;

/**
 * How many bytes at the start of a command's output its shell has written before it ran the command: control sequences that print
 * nothing, the title of the window among them, and then one CR. 0 when there is no such start, null while it may still become one.
 */
export function leadLength(bytes: Uint8Array): number | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAX_LEAD_BYTES)).toString('latin1');
  let hasTitle = false;
  let at = 0;
  for (;;) {
    SEQUENCE.lastIndex = at;
    const [sequence] = SEQUENCE.exec(text) ?? [];
    if (sequence === undefined) break;
    hasTitle ||= TITLE.test(sequence);
    at += sequence.length;
  }
  if (text[at] === '\r') return hasTitle ? at + 1 : 0;
  const isOpen = at === text.length || TO_BE_SEQUENCE.test(text.slice(at));
  return isOpen && bytes.length < MAX_LEAD_BYTES ? null : 0;
}
