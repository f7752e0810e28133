import { ancestorsOf, claimedTerminal } from '../../pty/ancestors.ts';

/** Where a client's processes run, according to the kernel. */
export interface CallerPlace {
  readonly terminalId: string | null;
  readonly isVerified: boolean;
}

/** The shell of an open terminal. */
export interface OpenShell {
  readonly terminalId: string;
  readonly pid: number;
}

/**
 * Finds the open terminal in which the process `pid` runs: an ancestor is its shell, or belongs to the session or the tty of that shell (so `setsid`
 * alone hides nothing). A process that has cut itself off from its ancestors is not verified; its environment then only counts against it.
 */
export function findCaller(pid: number | null, shells: readonly OpenShell[]): CallerPlace {
  if (pid === null) return { terminalId: null, isVerified: false };
  const { chain, isWhole } = ancestorsOf(pid);
  const ttys = new Map(shells.map((shell) => [shell.pid, ancestorsOf(shell.pid).chain[0]?.tty ?? null]));
  for (const { pid: at, session, tty } of chain) {
    const own = shells.find(
      (shell) => shell.pid === at || shell.pid === session || (tty !== null && ttys.get(shell.pid) === tty),
    );
    if (own) return { terminalId: own.terminalId, isVerified: true };
  }
  for (const { pid: at } of chain) {
    const claimed = claimedTerminal(at);
    if (shells.some(({ terminalId }) => terminalId === claimed)) return { terminalId: claimed, isVerified: false };
  }
  return { terminalId: null, isVerified: isWhole && chain.length > 0 };
}
