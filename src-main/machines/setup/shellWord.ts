/** Characters that these shells interpret differently, even within single quotes: csh's history, fish's escapes, and the quote itself. */
const READ_DIFFERENTLY = /['!\n]|\\\\/;

/**
 * The command that runs `lines` in `sh`, whatever login shell ssh passes it to (sh, bash, zsh, fish, tcsh): `exec sh -c '…'`. Each line ends a
 * command, except one that ends with `do`, `then`, `else`, `{` or `|`.
 */
export function inAnyShell(lines: readonly string[]): string {
  const script = lines
    .map((line) => (/(?:^|\s)(?:do|then|else|\{|\|)$/.test(line) ? `${line} ` : `${line}; `))
    .join('');
  if (READ_DIFFERENTLY.test(script)) throw new Error('a shell would read this differently');
  return `exec sh -c '${script}'`;
}

/** Returns a version that is safe in a path and in a script. Throws otherwise. */
export function plainVersion(version: string): string {
  if (!/^\w[\w.+-]*$/.test(version)) throw new Error(`"${version}" is not a version`);
  return version;
}

/** `d`: the folder in which this user's programs keep their data. As the XDG rules require, a relative path is ignored. */
export const FIND_DATA = `case \${XDG_DATA_HOME-} in /*) d=$XDG_DATA_HOME ;; *) d=$HOME/.local/share ;; esac`;
