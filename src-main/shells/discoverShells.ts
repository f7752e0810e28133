import { shellName } from './launchPlan.ts';

/** The facts about a machine that the search for shells needs. */
export interface Machine {
  env: Readonly<Record<string, string | undefined>>;
  /** The login shell of the user database (`os.userInfo().shell`), or null. */
  loginShell: string | null;
  /** Text of a file, or null if it cannot be read. */
  readText(path: string): string | null;
  isExecutable(path: string): boolean;
}

export interface FoundShell {
  path: string;
  name: string;
}

/** Entries of /etc/shells that are not interactive shells for commands. */
const NOT_SHELLS = new Set(['tmux', 'screen', 'nologin', 'false', 'git-shell', 'rbash', 'rksh']);

/**
 * The shells of this machine, the default first: `$SHELL`, the user database's, then /etc/shells in its order. One path per
 * name, because /bin and /usr/bin are often the same folder; only executable ones. Empty if there are none.
 */
export function discoverShells(machine: Machine): FoundShell[] {
  const wanted = [machine.env.SHELL, machine.loginShell, ...listedShells(machine.readText('/etc/shells') ?? '')];
  const byName = new Map<string, FoundShell>();
  for (const path of wanted) {
    if (!path || NOT_SHELLS.has(shellName(path)) || byName.has(shellName(path)) || !machine.isExecutable(path))
      continue;
    byName.set(shellName(path), { path, name: shellName(path) });
  }
  return [...byName.values()];
}

function listedShells(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line.startsWith('/'));
}
