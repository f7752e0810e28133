import { jointOf } from './softBreak.ts';

/** Restores lines of plain text, without their gutter, that a program wrapped at `cols`. */
export function unwrapped(lines: readonly string[], cols: number): string {
  return lines
    .map((line) => line.trimEnd())
    .reduce(
      (all, line, at, own) => (at === 0 ? line : `${all}${jointOf(own[at - 1] ?? '', line, cols) ?? '\n'}${line}`),
      '',
    )
    .trim();
}
