/** Text that bash inserts between two lines of a command to join them in its history (`cmdhist`); two characters with LF after a here-document. */
export const JOINTS = ['\n', '\n ', '\n\n', '; ', ' ', ';', ''];

/**
 * Whether bash may have joined these lines to this history entry. It drops blank lines and comments, removes a backslash with its
 * line break, and inserts one of `JOINTS` between the others. The entry is given without trailing line breaks.
 */
export function isJoinOf(entry: string, lines: readonly string[]): boolean {
  const [first = '', ...others] = lines;
  let ends = new Set(entry.startsWith(first) ? [first.length] : []);
  if (continues(first) && entry.startsWith(first.slice(0, -1))) ends.add(first.length - 1);
  for (const line of others) {
    const next = new Set<number>(isDroppable(line) ? ends : []);
    for (const end of ends) for (const at of endsOf(entry, end, line)) next.add(at);
    ends = next;
  }
  return ends.has(entry.length) || (lines.at(-1) === '' && ends.has(entry.trimEnd().length));
}

function endsOf(entry: string, from: number, line: string): number[] {
  const ends: number[] = [];
  for (const joint of JOINTS) {
    if (!entry.startsWith(joint, from)) continue;
    const start = from + joint.length;
    if (entry.startsWith(line, start)) ends.push(start + line.length);
    if (continues(line) && entry.startsWith(line.slice(0, -1), start)) ends.push(start + line.length - 1);
  }
  return ends;
}

/** True if bash leaves the line out of its history. */
export function isDroppable(line: string): boolean {
  return /^\s*(#|$)/.test(line);
}

/** True if the line ends in a backslash that quotes the line break. */
export function continues(line: string): boolean {
  return (/\\+$/.exec(line)?.[0].length ?? 0) % 2 === 1;
}
