/** Return, line feed and Ctrl-C. */
const LINE_ENDS: ReadonlySet<number> = new Set([0x0d, 0x0a, 0x03]);
/** Ends the input in an empty line; in another one it deletes a character or lists choices. */
const CTRL_D = 0x04;

/** Whether the shell's line has text after these keys, once the shell has handled them. `wasBegun`: it had text before them. In doubt it has. */
export function beginsLine(keys: string | Uint8Array, wasBegun: boolean): boolean {
  const bytes = Buffer.from(keys as string);
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === CTRL_D) end -= 1;
  const last = bytes[end - 1];
  return last === undefined ? wasBegun : !LINE_ENDS.has(last);
}
