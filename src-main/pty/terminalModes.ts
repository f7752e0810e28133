import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { runPs } from '../util/ps.ts';

/** Time limit of stty, for a busy machine. */
const STTY_MS = 2_000;

/** How the kernel treats input of a terminal. */
export interface TerminalModes {
  /** The kernel collects lines, instead of a line editor. */
  readonly isCanonical: boolean;
  /** Off during a password prompt, and while a line editor echoes by itself. */
  readonly hasEcho: boolean;
}

/**
 * Whether the shell's own process group is in the foreground, so that none of its programs is. null if unknown, or if the shell has
 * exited. Synchronous, because the caller writes in the same turn.
 */
export function isShellForeground(shellPid: number): boolean | null {
  const [group, foreground] = process.platform === 'linux' ? linuxGroups(shellPid) : psGroups(shellPid);
  if (group === undefined || foreground === undefined || foreground <= 0) return null;
  return group === foreground;
}

/** Reads the modes of the controlling terminal of `shellPid` with stty(1); null if unknown. */
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

/** `-icanon` and `-echo` mean that the mode is off. null for text with neither. */
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

/** The fields after the name, which may contain blanks and brackets. */
function statFields(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null; // the process has exited
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
