export const TOO_TALL = 'the command is longer than the screen, so it could not be checked as typed';

/** A line editor shows only part of a line that is larger than the screen: it could not be seen to stand there. Each character may take two cells. */
export function isTallerThan(cmd: string, { cols, rows }: { cols: number; rows: number }): boolean {
  const shownRows = cmd.split('\n').reduce((sum, line) => sum + 1 + Math.floor((2 * line.length) / cols), 0);
  return cmd.length > cols && shownRows / 2 >= rows - 1;
}
