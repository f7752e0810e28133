/** Longer than a shell's own start of output, even with a title that contains a whole command line. */
const MAX_LEAD_BYTES = 8192;

/** Modes, keyboard protocols, queries, colours and character sets; strings that end in BEL or ST. */
const SEQUENCE =
  /\x1b\[[?<=>]?[0-9;:]*[ -/]?[hlmucnqp]|\x1b[=>]|\x1b\([0-9A-Z]|\x0f|\x1b[\]P][^\x07\x1b]*(?:\x07|\x1b\\)/y;
const TO_BE_SEQUENCE = /^\x1b(?:\[[?<=>]?[0-9;:]*[ -/]?|\(|[\]P][^\x07\x1b]*\x1b?)?$/;
const TITLE = /^\x1b\][012];/;

/**
 * Number of bytes at the start of a command's output that its shell wrote before it ran the command: invisible control sequences,
 * including one for the window's title, and then one CR. 0 without that start, null while it may still become one.
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
