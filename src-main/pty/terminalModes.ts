import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { runPs } from '../util/ps.ts';

/** How long stty may take on a busy machine. */
const STTY_MS = 2_000;

/** How the kernel treats what is typed into a terminal. */
export interface TerminalModes {
  /** Lines are gathered by the kernel and not by a line editor. */
  readonly isCanonical: boolean;
  /** Off while a password is asked for, and while a line editor echoes by itself. */
  readonly hasEcho: boolean;
}

/**
 * Whether the shell's own process group has its terminal: no program of its own does. null where it cannot be told, or the shell has ended.
 * Synchronous, since who asks writes in the same turn.
 */
export function isShellForeground(shellPid: number): boolean | null {
  const [group, foreground] = process.platform === 'linux' ? linuxGroups(shellPid) : psGroups(shellPid);
  if (group === undefined || foreground === undefined || foreground <= 0) return null;
  return group === foreground;
}

/** Asked of the kernel through stty(1), for the terminal that is the controlling one of `shellPid`; null where it cannot be told. */
export function readTerminalModes(shellPid: number): Promise<TerminalModes | null> {
  const path = ttyOf(shellPid);
  if (path === null) return Promise.resolve(null);
  const flag = process.platform === 'linux' ? '-F' : '-f';
  return new Promise((resolve) => {
    execFile('stty', [flag, path, '-a'], { timeout: STTY_MS, env: { ...process.env, LC_ALL: 'C' } }, (error, text) =>
      resolve(error ? null : parseStty(text)),
    );
  });
}

/** `-icanon` and `-echo` say that it is off. null for text that says neither. */
export function parseStty(text: string): TerminalModes | null {
  const words = new Set(text.split(/[\s;]+/));
  if (!words.has('icanon') && !words.has('-icanon')) return null;
  return { isCanonical: words.has('icanon'), hasEcho: words.has('echo') };
}

/** Fields 5 and 8 of /proc/<pid>/stat (proc(5)). */
function linuxGroups(pid: number): (number | undefined)[] {
  const fields = statFields(pid);
  return fields ? [Number(fields[2]), Number(fields[5])] : [];
}

function psGroups(pid: number): (number | undefined)[] {
  const text = process.platform === 'win32' ? null : runPs(['-o', 'pgid=,tpgid=', '-p', String(pid)]);
  return text?.trim() ? text.trim().split(/\s+/).map(Number) : [];
}

/** The fields behind the name, which may itself hold blanks and brackets. */
function statFields(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null; // it has ended
  }
}

function ttyOf(pid: number): string | null {
  if (process.platform === 'linux') return ttyPath(Number(statFields(pid)?.[4] ?? 0));
  if (process.platform === 'win32') return null;
  const name = runPs(['-o', 'tty=', '-p', String(pid)])?.trim() ?? '';
  return /^[a-z]+\d*$/.test(name) ? `/dev/${name}` : null;
}

/** Unix98 pseudo-terminals have the major numbers 136 to 143, with 256 (2^20 since 2.6) minor numbers; see the kernel's devices.txt. */
export function ttyPath(ttyNumber: number): string | null {
  const major = (ttyNumber >> 8) & 0xfff;
  const minor = (ttyNumber & 0xff) | ((ttyNumber >> 12) & 0xfff00);
  return major >= 136 && major <= 143 ? `/dev/pts/${(major - 136) * 256 + minor}` : null;
}
