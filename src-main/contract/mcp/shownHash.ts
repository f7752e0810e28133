import type { Approval } from './approval.ts';

const DIGITS = 12;

/** The start of an approval's hash: enough to compare by eye what the window and the command line show with what a client does. */
export function shownHash({ hash }: Pick<Approval, 'hash'>): string {
  return hash.slice(0, DIGITS);
}
