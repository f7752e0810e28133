export const TOO_TALL = 'the command is longer than the screen, so it could not be checked as typed';

/** Whether a line editor might show only part of the command, so that the typed text cannot be checked. Counts two cells per character. */
export function isTallerThan(cmd: string, { cols, rows }: { cols: number; rows: number }): boolean {
  const shownRows = cmd.split('\n').reduce((sum, line) => sum + 1 + Math.floor((2 * line.length) / cols), 0);
  return cmd.length > cols && shownRows / 2 >= rows - 1;
}
