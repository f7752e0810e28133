/** Return, line feed, Ctrl-C and Ctrl-D, as keys and as bytes. */
const LINE_ENDS: ReadonlySet<string | number> = new Set(['\r', '\n', '\x03', '\x04', 0x0d, 0x0a, 0x03, 0x04]);

/** Whether a shell's line is empty after these keys, once the shell has handled them. */
export function endsLine(keys: string | Uint8Array): boolean {
  return LINE_ENDS.has(keys.at(-1) ?? '');
}
