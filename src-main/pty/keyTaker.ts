import type { ProcessStat, ProcessView } from './ProcessView.ts';

/** The program that a key goes to. */
export interface KeyTaker {
  readonly pid: number;
  readonly name: string;
  /** The first of its arguments without their folders: an interpreter's script is called by its own name on a command line. */
  readonly words: readonly string[];
}

/** An interpreter, an option of it, the script. */
const NAMING_ARGS = 3;
/** As much of a program's name as the kernel keeps (TASK_COMM_LEN). */
const COMM_CHARS = 15;

/**
 * Finds the process that reads the keys of the shell's terminal: the last descendant in the foreground group that has the terminal open for
 * reading. A process that opened the terminal itself because its input is something else (`less` behind a pipe, a picker) comes before one
 * that inherited it. Returns null if no process remains, or several.
 *
 * A command substitution stays in the shell's own group, and so does what it runs.
 */
export function keyTaker(shellPid: number, view: ProcessView | null): KeyTaker | null {
  const shell = view?.stat(shellPid);
  if (!view || !shell) return null;
  const group = shell.tpgid === 0 ? shell.group : shell.tpgid;
  const all = (view.all() ?? []).filter((stat) => stat.pid !== shellPid && stat.group === group && !stat.isFork);
  const readers = all.filter(({ pid }) => view.terminalUse(pid) !== 'none');
  const last = readers.filter((one) => !readers.some((other) => isBelow(other, one, all)));
  const opened = last.filter(({ pid }) => view.terminalUse(pid) === 'opened');
  const [only, ...others] = opened.length > 0 ? opened : last;
  if (!only || others.length > 0) return null;
  const words = view
    .argv(only.pid)
    .slice(0, NAMING_ARGS)
    .map((path) => path.slice(path.lastIndexOf('/') + 1));
  return { pid: only.pid, name: nameOf(only, words), words };
}

function isBelow(low: ProcessStat, high: ProcessStat, all: readonly ProcessStat[]): boolean {
  for (let at = low.parent, steps = 0; steps < all.length; steps += 1) {
    if (at === high.pid) return true;
    at = all.find(({ pid }) => pid === at)?.parent ?? 0;
  }
  return false;
}

/** A script by its own name where the kernel has started its interpreter: then the arguments begin with the interpreter's. */
function nameOf({ name }: ProcessStat, [program = name, ...args]: readonly string[]): string {
  const script = args.find((arg) => arg !== '' && arg.slice(0, COMM_CHARS) === name);
  return (script ?? program).replace(/^-/, '') || name;
}
