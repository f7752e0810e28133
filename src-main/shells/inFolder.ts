/** Shells that run `( … )` in a fork of their own, whose folder ends with it. */
const WITH_SUBSHELL: ReadonlySet<string> = new Set(['bash', 'zsh', 'sh', 'dash', 'ksh', 'mksh']);

/** `cmd` run in another folder without moving the shell itself; null for shells in which that cannot be said in a line. */
export function inFolder(shell: string, folder: string, cmd: string): string | null {
  if (!WITH_SUBSHELL.has(shell)) return null;
  return `( cd '${folder.replaceAll("'", "'\\''")}' && ${cmd} )`;
}

/** Several lines as one command, for shells that would run each as one of its own; null for others, which take them as they are. */
export function asOneCommand(shell: string, lines: string): string | null {
  return WITH_SUBSHELL.has(shell) ? `{\n${lines}\n}` : null;
}
