import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';

/** Of a command line named in a question. */
const MAX_SHOWN_CHARS = 60;

/** The fields of /proc/<pid>/stat that tell which terminal a process belongs to (proc(5)). */
interface ProcessStat {
  pid: number;
  comm: string;
  state: string;
  parent: number;
  group: number;
  session: number;
  /** Foreground process group of its terminal, -1 without one. */
  tpgid: number;
  /** It is a copy of its parent that has started no program: a shell between fork and exec, or a subshell. */
  isFork: boolean;
}

/** PF_FORKNOEXEC of the kernel's sched.h, in the field `flags` of proc(5). */
const FORK_NO_EXEC = 0x40;

/**
 * Programs other than the shell `sessionPid` itself in its session: foreground and background jobs.
 * Linux only; elsewhere an empty list, so nothing is named rather than something wrong.
 */
export function programsOfSession(sessionPid: number): string[] {
  if (process.platform !== 'linux') return [];
  return statsOfSession(sessionPid)
    .filter(({ pid }) => pid !== sessionPid)
    .map(({ pid, comm }) => shownCommand(readArgv(pid)) || comm);
}

/**
 * Argument vector of the process that leads the foreground group of the shell's terminal; empty when that is the shell itself
 * or a copy of it that is no program yet, when it has gone, or where there is no /proc.
 */
export function foregroundArgv(shellPid: number): string[] {
  if (process.platform !== 'linux') return [];
  const shell = readStat(shellPid);
  if (!shell || shell.tpgid <= 0 || shell.tpgid === shellPid) return [];
  return readStat(shell.tpgid)?.isFork ? [] : readArgv(shell.tpgid); // its arguments would be the shell's own
}

/** A process that has a terminal, or has started the one that has it. */
export interface ForegroundProcess {
  readonly pid: number;
  readonly argv: readonly string[];
}

/**
 * The processes of the foreground group of the shell's terminal and those between them and the shell, the nearest to the shell
 * first: a launcher before what it launched. The shell itself is not among them. Empty as with `foregroundArgv`.
 */
export function foregroundProcesses(shellPid: number): ForegroundProcess[] {
  const shell = process.platform === 'linux' ? readStat(shellPid) : null;
  if (!shell || shell.tpgid <= 0 || shell.tpgid === shellPid) return [];
  const all = new Map(statsOfSession(shell.session).map((stat) => [stat.pid, stat]));
  return foregroundOrder(all, shell).map((pid) => ({ pid, argv: readArgv(pid) }));
}

/** Ids of the foreground group and its ancestors below the shell, by their distance from the shell, then by age. */
export function foregroundOrder(
  all: ReadonlyMap<number, Pick<ProcessStat, 'parent' | 'group'>>,
  shell: Pick<ProcessStat, 'pid' | 'tpgid'>,
): number[] {
  const depths = new Map<number, number>();
  for (const [pid, { group }] of all) {
    if (group !== shell.tpgid || pid === shell.pid) continue;
    const chain: number[] = [];
    for (let at = pid; at !== shell.pid && all.has(at) && !chain.includes(at); at = all.get(at)?.parent ?? 0)
      chain.push(at);
    chain.reverse().forEach((each, depth) => void depths.set(each, depth));
  }
  return [...depths].sort(([a, depthA], [b, depthB]) => depthA - depthB || a - b).map(([pid]) => pid);
}

/**
 * A process leaves a session only to lead one of its own, so whoever was seen in another cannot come into this one: it is not read again.
 * Not for ever, because numbers of processes are given out anew; after all the others, thousands of them.
 */
const BELIEVED_MS = 2_000;
/** Of the processes that were there last, by pid. */
let seen: ReadonlyMap<number, { session: number; atMs: number }> = new Map();

/**
 * Most of a machine's processes are none of ours, and to read them all takes milliseconds in which nothing else is done: ten terminals in
 * which something starts did that 25 times a second.
 */
function statsOfSession(session: number): ProcessStat[] {
  const nowMs = performance.now();
  const here = new Map<number, { session: number; atMs: number }>();
  const found: ProcessStat[] = [];
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
    return []; // it has ended
  }
}

/** A command line as a question can name it: base name and arguments, on one line, cut. */
function shownCommand([path = '', ...args]: readonly string[]): string {
  const line = [path.slice(path.lastIndexOf('/') + 1), ...args].join(' ').replace(/[\p{C}\s]+/gu, ' ');
  return line.length <= MAX_SHOWN_CHARS ? line : `${line.slice(0, MAX_SHOWN_CHARS - 1)}…`;
}

function readStat(pid: number): ProcessStat | null {
  try {
    const fd = openSync(`/proc/${pid}/stat`, 'r');
    try {
      return parseStat(statBuffer.toString('latin1', 0, readSync(fd, statBuffer, 0, statBuffer.length, 0)));
    } finally {
      closeSync(fd);
    }
  } catch {
    return null; // it ended between the listing and the reading
  }
}

/** One line of some 300 bytes; a read of procfs gives it whole. */
const statBuffer = Buffer.alloc(4096);

/** `comm` may hold spaces and parentheses, so fields are counted from the last `)`. */
export function parseStat(line: string): ProcessStat | null {
  const open = line.indexOf('(');
  const close = line.lastIndexOf(')');
  if (open < 0 || close < open) return null;
  const [state, parent, group, session, , tpgid, flags] = line.slice(close + 2).split(' ');
  if (state === undefined || session === undefined) return null;
  return {
    pid: Number.parseInt(line, 10),
    comm: line.slice(open + 1, close),
    state,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    tpgid: Number(tpgid),
    isFork: (Number(flags) & FORK_NO_EXEC) !== 0,
  };
}
