import { readdirSync, readFileSync } from 'node:fs';

/** The fields of /proc/<pid>/stat that tell which terminal a process belongs to (proc(5)). */
interface ProcessStat {
  pid: number;
  comm: string;
  state: string;
  session: number;
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
    if (stat?.session === sessionPid && stat.pid !== sessionPid && stat.state !== 'Z') names.push(stat.comm);
  }
  return names;
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
  const [state, , , session] = line.slice(close + 2).split(' ');
  if (state === undefined || session === undefined) return null;
  return { pid: Number.parseInt(line, 10), comm: line.slice(open + 1, close), state, session: Number(session) };
}
