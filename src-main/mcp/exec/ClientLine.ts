/** Keys that edit only the end of the line or empty it; the line is known after them. */
const EDITS: Readonly<Record<string, (line: string) => string>> = {
  '\x7f': (line) => [...line].slice(0, -1).join(''),
  '\x15': () => '',
  '\x03': () => '',
};
const RETURN = '\r';

/** What keys would do to a shell's line. `commands` are the lines that would be run, in order. */
export type LinePlan =
  | { type: 'known'; commands: readonly string[]; line: string }
  /** A key whose effect is unknown: completion, history or a binding of the person. */
  | { type: 'unknown'; key: string };

/**
 * What keys `bytes` from a client do to a line that contains `line`. Understands text, Return, Backspace, Ctrl-U, Ctrl-C and a bracketed paste. Text
 * that ends in Return at a shell's prompt is a command (mcp.md, class 15), however many writes it came in.
 */
export function planLine(line: string, bytes: string): LinePlan {
  const commands: string[] = [];
  let now = line;
  for (const piece of bytes.match(/\x1b\[200~[\s\S]*?\x1b\[201~|[\s\S]/gu) ?? []) {
    const pasted = /^\x1b\[200~([\s\S]*)\x1b\[201~$/.exec(piece)?.[1];
    const edit = EDITS[piece];
    if (pasted !== undefined) now += pasted.replaceAll('\r', '\n');
    else if (piece === RETURN) {
      if (now.trim() !== '') commands.push(now);
      now = '';
    } else if (edit) now = edit(now);
    else if (/\p{Cc}/u.test(piece)) return { type: 'unknown', key: piece };
    else now += piece;
  }
  return { type: 'known', commands, line: now };
}
