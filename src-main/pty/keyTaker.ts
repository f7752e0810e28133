import type { ProcessStat, ProcessView } from './ProcessView.ts';

/** The program that gets a key. */
export interface KeyTaker {
  readonly pid: number;
  readonly name: string;
  /** Its first arguments without their folders: on a command line, a script has its own name rather than the interpreter's. */
  readonly words: readonly string[];
}

/** Arguments to keep: an interpreter, one of its options, the script. */
const NAMING_ARGS = 3;
/** Length to which the kernel cuts a program's name (TASK_COMM_LEN). */
const COMM_CHARS = 15;

/**
 * Finds the process that reads the keys of the shell's terminal: the last descendant in the foreground group that has the terminal open for
 * reading. A process that opened the terminal itself because its input is something else (`less` behind a pipe, a picker) takes precedence
 * over one that inherited it. Returns null if there is none, or several.
 *
 * A command substitution stays in the shell's own group, and so do its programs.
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

/** Names a script if the kernel has started its interpreter, whose name the arguments begin with. */
function nameOf({ name }: ProcessStat, [program = name, ...args]: readonly string[]): string {
  const script = args.find((arg) => arg !== '' && arg.slice(0, COMM_CHARS) === name);
  return (script ?? program).replace(/^-/, '') || name;
}
