import { existsSync, readFileSync } from 'node:fs';
import { runPs } from '../util/ps.ts';

/** More generations than any shell in a shell in a multiplexer has. */
const MAX_DEPTH = 64;
/** Where a process of ours notes its terminal, for the hooks of agents. */
const MARK = 'HANSARD_TERMINAL=';

/** A process and where it belongs. */
export interface Ancestor {
  readonly pid: number;
  readonly parent: number;
  /** Of its session's leader; 0 outside this process namespace, -1 where the system does not say. */
  readonly session: number;
  /** Its controlling terminal in whatever words the system has for it, null without one. */
  readonly tty: string | null;
  /** When it started; larger is later. null where the system does not say. */
  readonly start: number | null;
}

/**
 * The process and its ancestors, itself first. `isWhole`: every one was read up to the first process of the system, none is older than its
 * parent, and none is left over from a session whose leader is gone (a daemon that was forked twice: its parent says nothing of where it
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

/** The terminal that a process of ours was started in, as its environment says; it may have been changed, so it proves nothing. */
export function claimedTerminal(pid: number): string | null {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    return environment.find((entry) => entry.startsWith(MARK))?.slice(MARK.length) ?? null;
  } catch {
    return null; // of another person, gone, or no Linux
  }
}

function hasSession({ pid, session }: Ancestor): boolean {
  return session <= 0 || session === pid || process.platform !== 'linux' || existsSync(`/proc/${session}`);
}

function readProcess(pid: number): Ancestor | null {
  if (process.platform === 'linux') return readProc(pid);
  return process.platform === 'win32' ? null : readPs(pid);
}

/** proc(5): 4 ppid, 6 session, 7 tty_nr, 22 starttime; the name before them may hold anything. */
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
    return null; // it has ended
  }
}

function readPs(pid: number): Ancestor | null {
  const text = runPs(['-o', 'ppid=,tty=', '-p', String(pid)])?.trim();
  if (!text) return null; // it has ended
  const [parent = '0', tty = '??'] = text.split(/\s+/);
  return { pid, parent: Number(parent), session: -1, tty: /^\?+$/.test(tty) ? null : tty, start: null };
}
