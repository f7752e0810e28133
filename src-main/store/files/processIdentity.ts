import { readFileSync } from 'node:fs';
import { runPs } from '../../util/ps.ts';

/**
 * Tells one process from a later one with the same number. `start` is when it started, in whatever words the system has
 * for it: equal for the same process, different after the number was used again or the machine was restarted; '' where
 * the system does not say.
 */
export interface ProcessIdentity {
  pid: number;
  start: string;
}

/** Start of the process `pid`, or null when there is none (a zombie is none: it holds nothing any more). */
export function processStart(pid: number): string | null {
  if (process.platform === 'linux') return linuxStart(pid);
  if (!isThere(pid)) return null;
  if (process.platform === 'win32') return '';
  const text = runPs(['-o', 'lstart=', '-p', String(pid)])?.trim();
  return text === '' ? null : (text ?? ''); // '': it has ended; without ps its start time is unknown
}

export function isAlive({ pid, start }: ProcessIdentity): boolean {
  const now = processStart(pid);
  return now !== null && (now === start || start === '' || now === '');
}

/** Field 3 of /proc/<pid>/stat is the state, field 22 the start in ticks since boot; the name before them may hold anything. */
function linuxStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return `${fields[19] ?? ''}@${bootId()}`;
  } catch {
    return null; // no such process
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8); // names of files are made of it
  } catch {
    return ''; // hidden in some containers; pid and ticks must do
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}
