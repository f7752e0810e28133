import { existsSync, readFileSync } from 'node:fs';
import { runPs } from '../util/ps.ts';

/** More generations than nested shells in a multiplexer have. */
const MAX_DEPTH = 64;
/** Variable in which our processes note their terminal, for agents' hooks. */
const MARK = 'HANSARD_TERMINAL=';

/** A process with its parent, session and terminal. */
export interface Ancestor {
  readonly pid: number;
  readonly parent: number;
  /** Pid of its session's leader; 0 outside this process namespace, -1 if the system does not report it. */
  readonly session: number;
  /** Its controlling terminal in the system's own format, null without one. */
  readonly tty: string | null;
  /** Start time; larger is later. null if the system does not report it. */
  readonly start: number | null;
}

/**
 * The process and its ancestors, itself first. `isWhole`: all were read up to the system's first process, none is older than its
 * parent, and none remains from a session whose leader is gone (a daemon that forked twice: its parent does not show where it
 * comes from).
 */
export function ancestorsOf(pid: number): { chain: Ancestor[]; isWhole: boolean } {
  const chain: Ancestor[] = [];
  for (let at = pid; at > 0 && chain.length < MAX_DEPTH; ) {
    const found = readProcess(at);
    if (!found) return { chain, isWhole: false };
    const child = chain.at(-1);
    if (child?.start != null && found.start !== null && child.start < found.start) return { chain, isWhole: false };
    chain.push(found);
    if (found.parent === 0 || at === 1) return { chain, isWhole: chain.every(hasSession) };
    at = found.parent;
  }
  return { chain, isWhole: false };
}

/** The terminal of our process according to its environment; it may have been changed, so it proves nothing. */
export function claimedTerminal(pid: number): string | null {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    return environment.find((entry) => entry.startsWith(MARK))?.slice(MARK.length) ?? null;
  } catch {
    return null; // another user's process, already gone, or not Linux
  }
}

function hasSession({ pid, session }: Ancestor): boolean {
  return session <= 0 || session === pid || process.platform !== 'linux' || existsSync(`/proc/${session}`);
}

function readProcess(pid: number): Ancestor | null {
  if (process.platform === 'linux') return readProc(pid);
  return process.platform === 'win32' ? null : readPs(pid);
}

/** proc(5): 4 ppid, 6 session, 7 tty_nr, 22 starttime; the name before them may contain any characters. */
function readProc(pid: number): Ancestor | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const tty = fields[4] ?? '0';
    return {
      pid,
      parent: Number(fields[1]),
      session: Number(fields[3]),
      tty: tty === '0' ? null : tty,
      start: Number(fields[19]),
    };
  } catch {
    return null; // the process has exited
  }
}

function readPs(pid: number): Ancestor | null {
  const text = runPs(['-o', 'ppid=,tty=', '-p', String(pid)])?.trim();
  if (!text) return null; // the process has exited
  const [parent = '0', tty = '??'] = text.split(/\s+/);
  return { pid, parent: Number(parent), session: -1, tty: /^\?+$/.test(tty) ? null : tty, start: null };
}
