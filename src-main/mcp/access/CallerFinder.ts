import { type Ancestor, ancestorsOf, claimedTerminal } from '../../pty/ancestors.ts';

/** Where a client's processes run, according to the kernel. */
export interface CallerPlace {
  readonly terminalId: string | null;
  readonly isVerified: boolean;
}

/** The shell of an open terminal. */
export interface OpenShell {
  readonly terminalId: string;
  /** 0 until the shell has been started. */
  readonly pid: number;
}

/**
 * Finds the open terminal in which the process `pid` runs: an ancestor is its shell, or belongs to the session of that shell (so `setsid` alone
 * hides nothing). A process that has cut itself off from its ancestors is not verified; its environment then only counts against it. `look` reads the
 * system's processes.
 */
export function findCaller(pid: number | null, shells: readonly OpenShell[], look = ancestorsOf): CallerPlace {
  if (pid === null) return { terminalId: null, isVerified: false };
  const { chain, isWhole } = look(pid);
  for (const ancestor of chain) {
    // Session 0 of a process that was started from outside its container is no shell's.
    const own = shells.find((shell) => shell.pid > 0 && isOf(shell, ancestor, look));
    if (own) return { terminalId: own.terminalId, isVerified: true };
  }
  for (const { pid: at } of chain) {
    const claimed = claimedTerminal(at);
    if (shells.some(({ terminalId }) => terminalId === claimed)) return { terminalId: claimed, isVerified: false };
  }
  return { terminalId: null, isVerified: isWhole && chain.length > 0 };
}

/**
 * Where the system reports sessions, only they count: the shell leads its session, which is the only one with its tty, and inside a container
 * another terminal's tty can have the same number. macOS reports no session.
 */
function isOf(shell: OpenShell, { pid, session, tty }: Ancestor, look: typeof ancestorsOf): boolean {
  if (shell.pid === pid || shell.pid === session) return true;
  return session === -1 && tty !== null && look(shell.pid).chain[0]?.tty === tty;
}
