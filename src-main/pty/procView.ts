import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import type { ProcessStat, ProcessView, TerminalUse } from './ProcessView.ts';

/** A line of /proc/<pid>/stat (proc(5)). */
export interface ProcStat extends ProcessStat {
  session: number;
}

/** PF_FORKNOEXEC of the kernel's sched.h, in the field `flags` of proc(5). */
const FORK_NO_EXEC = 0x40;

/** View for Linux: /proc has everything, and reading a file costs microseconds. */
export function procView(shellPid: number): ProcessView {
  return {
    stat: readStat,
    all: () => statsOfSession(readStat(shellPid)?.session ?? shellPid), // a shell that has exited led its session
    argv: readArgv,
    terminalUse: readTerminalUse,
  };
}

/**
 * A process that leaves a session starts its own, so a process seen in another session cannot enter this one and is not read
 * again. Only for a while, because process numbers are reused, thousands of processes later.
 */
const BELIEVED_MS = 2_000;
/** Processes of the last view, by pid. */
let seen: ReadonlyMap<number, { session: number; atMs: number }> = new Map();

/**
 * Most processes of a machine are irrelevant, and reading all of them blocks the thread for milliseconds: ten busy terminals did so
 * 25 times a second.
 */
function statsOfSession(session: number): ProcStat[] {
  const nowMs = performance.now();
  const here = new Map<number, { session: number; atMs: number }>();
  const found: ProcStat[] = [];
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    const known = seen.get(pid);
    if (known && known.session !== session && pid !== session && nowMs - known.atMs < BELIEVED_MS) {
      here.set(pid, known);
      continue;
    }
    const stat = readStat(pid);
    if (!stat) continue;
    here.set(pid, { session: stat.session, atMs: nowMs });
    if (stat.session === session && stat.state !== 'Z') found.push(stat);
  }
  seen = here;
  return found;
}

function readArgv(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  } catch {
    return []; // the process has exited
  }
}

/** A program opened its descriptors above the three given ones itself. */
function readTerminalUse(pid: number): TerminalUse {
  try {
    const folder = `/proc/${pid}/fd`;
    const isTerminal = (fd: string) => /^\/dev\/(?:pts\/\d+|tty)$/.test(linkOf(`${folder}/${fd}`));
    if (isTerminal('0')) return 'given';
    return readdirSync(folder).some((fd) => Number(fd) > 2 && isTerminal(fd)) ? 'opened' : 'none';
  } catch {
    return 'given'; // another user's process, as with sudo
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // closed meanwhile
  }
}

function readStat(pid: number): ProcStat | null {
  try {
    const fd = openSync(`/proc/${pid}/stat`, 'r');
    try {
      return parseStat(statBuffer.toString('latin1', 0, readSync(fd, statBuffer, 0, statBuffer.length, 0)));
    } finally {
      closeSync(fd);
    }
  } catch {
    return null; // the process exited between listing and reading
  }
}

/** A line has about 300 bytes; one read of procfs returns it completely. */
const statBuffer = Buffer.alloc(4096);

/** `name` may contain spaces and parentheses, so fields count from the last `)`. */
export function parseStat(line: string): ProcStat | null {
  const open = line.indexOf('(');
  const close = line.lastIndexOf(')');
  if (open < 0 || close < open) return null;
  const [state, parent, group, session, , tpgid, flags] = line.slice(close + 2).split(' ');
  if (state === undefined || session === undefined) return null;
  return {
    pid: Number.parseInt(line, 10),
    name: line.slice(open + 1, close),
    state,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    tpgid: Number(tpgid),
    isFork: (Number(flags) & FORK_NO_EXEC) !== 0,
  };
}
