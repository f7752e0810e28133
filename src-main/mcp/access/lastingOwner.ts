import { createHash } from 'node:crypto';
import { processStart } from '../../store/files/processIdentity.ts';

/**
 * Names the process at the other end of a socket so that a later core recognizes it: its id and start, which includes the boot. Null if the system
 * does not report them all, because a later process could then have the same name.
 */
export function processOwner(pid: number | null): string | null {
  const start = pid === null ? null : processStart(pid);
  return start && !start.endsWith('@') ? `process:${pid}@${start}` : null;
}

/** Names the clients that have a token, without the token. */
export function tokenOwner(token: string): string {
  return `token:${createHash('sha256').update(token).digest('hex').slice(0, 32)}`;
}
