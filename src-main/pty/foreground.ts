import { readdirSync, readFileSync } from 'node:fs';

/** Of a command line named in a question. */
const MAX_SHOWN_CHARS = 60;

/** The fields of /proc/<pid>/stat that tell which terminal a process belongs to (proc(5)). */
interface ProcessStat {
  pid: number;
  comm: string;
  state: string;
  session: number;
  /** Foreground process group of its terminal, -1 without one. */
  tpgid: number;
}

/**
 * Programs other than the shell `sessionPid` itself in its session: foreground and background jobs.
 * Linux only; elsewhere an empty list, so nothing is named rather than something wrong.
 */
export function programsOfSession(sessionPid: number): string[] {
  if (process.platform !== 'linux') return [];
  const names: string[] = [];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = readStat(Number(entry));
    if (stat?.session !== sessionPid || stat.pid === sessionPid || stat.state === 'Z') continue;
    names.push(shownCommand(readArgv(stat.pid)) || stat.comm);
  }
  return names;
}

/**
 * Argument vector of the process that leads the foreground group of the shell's terminal; empty when that is the shell itself,
 * when it has gone, or where there is no /proc.
 */
export function foregroundArgv(shellPid: number): string[] {
  if (process.platform !== 'linux') return [];
  const shell = readStat(shellPid);
  return !shell || shell.tpgid <= 0 || shell.tpgid === shellPid ? [] : readArgv(shell.tpgid);
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
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return null; // it ended between the listing and the reading
  }
}

/** `comm` may hold spaces and parentheses, so fields are counted from the last `)`. */
export function parseStat(line: string): ProcessStat | null {
  const open = line.indexOf('(');
  const close = line.lastIndexOf(')');
  if (open < 0 || close < open) return null;
  const [state, , , session, , tpgid] = line.slice(close + 2).split(' ');
  if (state === undefined || session === undefined) return null;
  return {
    pid: Number.parseInt(line, 10),
    comm: line.slice(open + 1, close),
    state,
    session: Number(session),
    tpgid: Number(tpgid),
  };
}
