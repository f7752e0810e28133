import { readFileSync } from 'node:fs';
import { runPs } from '../../util/ps.ts';

/**
 * Distinguishes a process from a later one with the same number. `start` is its start time in the system's own format:
 * equal for the same process, different after the number was reused or the machine restarted; '' if the system does not
 * report it.
 */
export interface ProcessIdentity {
  pid: number;
  start: string;
}

/** Start of the process `pid`, or null if there is none. A zombie counts as none, because it holds nothing. */
export function processStart(pid: number): string | null {
  if (process.platform === 'linux') return linuxStart(pid);
  if (!isThere(pid)) return null;
  if (process.platform === 'win32') return '';
  const text = runPs(['-o', 'lstart=', '-p', String(pid)])?.trim();
  return text === '' ? null : (text ?? ''); // '': it has exited; without ps, its start time is unknown
}

export function isAlive({ pid, start }: ProcessIdentity): boolean {
  const now = processStart(pid);
  return now !== null && (now === start || start === '' || now === '');
}

/** In /proc/<pid>/stat, field 3 is the state and field 22 the start in ticks since boot; the name before them may contain any characters. */
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
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8); // shortened, because file names contain it
  } catch {
    return ''; // hidden in some containers; pid and ticks must suffice
  }
}

/** Whether a process of this number exists; true for one that has ended and whose parent has not asked for it. */
export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}
