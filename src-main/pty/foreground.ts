import type { ProcessStat, ProcessView } from './ProcessView.ts';
import { procView } from './procView.ts';
import { psView } from './psView.ts';

/** Limit of a command line in a question. */
const MAX_SHOWN_CHARS = 60;

/** A process that has a terminal, or has started the one that has it. */
export interface ForegroundProcess {
  readonly pid: number;
  readonly argv: readonly string[];
}

/** A shell, and its terminal's device (`/dev/ttys003`), if known. */
export interface ShellProcess {
  readonly pid: number;
  readonly tty: string | undefined;
}

/** Takes a new view of the shell's terminal; null on a system that cannot be queried. */
export function lookAt({ pid, tty }: ShellProcess): ProcessView | null {
  if (process.platform === 'linux') return procView(pid);
  return process.platform === 'win32' ? null : psView(pid, tty);
}

/**
 * Programs other than the shell itself in its terminal: foreground and background jobs, each with a name for questions. Null if
 * the system does not report them: then it is unknown whether any run. `copies`: include processes that a shell has forked for a
 * part of itself, or for a program that it is about to start.
 */
export function programsOf(shellPid: number, view: ProcessView | null, copies = true): string[] | null {
  const all = view?.all() ?? null;
  return (
    all
      ?.filter(({ pid, isFork }) => pid !== shellPid && (copies || !isFork))
      .map(({ pid, name }) => shownCommand(view?.argv(pid) ?? []) || shownCommand([name])) ?? null
  );
}

/**
 * Argument vector of the process that leads the foreground group of the shell's terminal; empty if that is the shell itself or
 * a copy of it without its own program, if it is gone, or if the system does not report it.
 */
export function foregroundArgv(shellPid: number, view: ProcessView | null): string[] {
  const shell = view?.stat(shellPid);
  if (!view || !shell || shell.tpgid <= 0 || shell.tpgid === shellPid) return [];
  return view.stat(shell.tpgid)?.isFork ? [] : view.argv(shell.tpgid); // a copy has the shell's own arguments
}

/**
 * The processes of the foreground group of the shell's terminal and those between them and the shell, nearest to the shell
 * first: a launcher before its program. Excludes the shell itself. Null if the system does not report them.
 */
export function foregroundProcesses(shellPid: number, view: ProcessView | null): ForegroundProcess[] | null {
  const shell = view?.stat(shellPid);
  if (!view || !shell) return view?.all() ? [] : null;
  if (shell.tpgid <= 0 || shell.tpgid === shellPid) return [];
  const all = view.all();
  if (!all) return null;
  const byPid = new Map(all.map((stat) => [stat.pid, stat]));
  return foregroundOrder(byPid, shell).map((pid) => ({ pid, argv: view.argv(pid) }));
}

/** Ids of the foreground group and its ancestors below the shell, ordered by distance from the shell, then by age. */
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

function shownCommand([path = '', ...args]: readonly string[]): string {
  return shownLine([path.slice(path.lastIndexOf('/') + 1), ...args].join(' '));
}

/** Formats a command for a question: on one line, cut. */
export function shownLine(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').trim();
  return line.length <= MAX_SHOWN_CHARS ? line : `${line.slice(0, MAX_SHOWN_CHARS - 1)}…`;
}
