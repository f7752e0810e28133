import { execFileSync } from 'node:child_process';

/** A listing of one terminal takes about 10 ms; a machine that needs longer than this gets no answer. */
const TIMEOUT_MS = 1_000;
/** Enough for a thousand processes with long command lines. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Output of ps(1) for `args`, for systems without /proc. Empty if no process matches; null if ps cannot run or does not
 * answer in time, so that a caller never takes "unknown" for "nothing runs".
 *
 * `-ww` keeps long command lines whole; the C locale fixes the form of dates.
 */
export function runPs(args: readonly string[]): string | null {
  try {
    return execFileSync('/bin/ps', ['-ww', ...args], {
      encoding: 'utf8',
      env: { LC_ALL: 'C' },
      timeout: TIMEOUT_MS,
      maxBuffer: MAX_BYTES,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    // ps exits with 1 when nothing matches
    return error instanceof Error && 'status' in error && error.status === 1 ? '' : null;
  }
}
