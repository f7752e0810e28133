import { jointOf } from './softBreak.ts';

/** Lines of plain text, gutter cut off, as they were before a program wrapped them to `cols`. */
export function unwrapped(lines: readonly string[], cols: number): string {
  return lines
    .map((line) => line.trimEnd())
    .reduce(
      (all, line, at, own) => (at === 0 ? line : `${all}${jointOf(own[at - 1] ?? '', line, cols) ?? '\n'}${line}`),
      '',
    )
    .trim();
}
