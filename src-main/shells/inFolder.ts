/** Shells that run `( … )` in a fork, whose working directory ends with it. */
const WITH_SUBSHELL: ReadonlySet<string> = new Set(['bash', 'zsh', 'sh', 'dash', 'ksh', 'mksh']);

/** Wraps `cmd` to run in another folder without moving the shell itself; null for shells that cannot do so in one line. */
export function inFolder(shell: string, folder: string, cmd: string): string | null {
  if (!WITH_SUBSHELL.has(shell)) return null;
  return `( cd '${folder.replaceAll("'", "'\\''")}' && ${cmd} )`;
}

/** Joins several lines to one command, for shells that would run each line by itself; null for other shells, which need no joining. */
export function asOneCommand(shell: string, lines: string): string | null {
  return WITH_SUBSHELL.has(shell) ? `{\n${lines}\n}` : null;
}
