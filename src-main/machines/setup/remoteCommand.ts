import { MACHINE_PROTOCOL } from '../../contract/machines.ts';
import { FIND_DATA, inAnyShell, plainVersion } from './shellWord.ts';

/**
 * Where to search for `hansard` after our own copy of this version and PATH, which is short in a shell that ssh starts without a terminal: folders of
 * npm and of Node version managers, and finally our copies of other versions.
 */
const PLACES = [
  '"$HOME"/.local/bin/hansard',
  '"$HOME"/.npm-global/bin/hansard',
  '"$HOME"/.volta/bin/hansard',
  '"$HOME"/.nvm/versions/node/*/bin/hansard',
  '"$d"/fnm/node-versions/*/installation/bin/hansard',
  '/usr/local/bin/hansard',
  '/opt/homebrew/bin/hansard',
  '"$d"/hansard/server/*/bin/hansard',
];

/**
 * The command that ssh runs on another machine to reach the Hansard there. Uses the first one that speaks our protocol: another version exits with
 * the code of a usage error (64), and one that cannot run with 69, 126 or 127. If none is found, the `missing` hello describes the machine, and the
 * connection stays open for the set-up.
 */
export function remoteCommand(version: string): string {
  return inAnyShell([
    FIND_DATA,
    'w=',
    `for h in "$d/hansard/server/${plainVersion(version)}/bin/hansard" "$(command -v hansard)" ${PLACES.join(' ')}`,
    'do',
    '[ -x "$h" ] || continue',
    // npm's command searches PATH for its Node, which is beside it
    `PATH=\${h%/*}:$PATH "$h" serve --stdio ${MACHINE_PROTOCOL}`,
    'c=$?',
    'case $c in 64|69|126|127) ;; *) exit $c ;; esac',
    `[ "$w" ] || w=$(PATH=\${h%/*}:$PATH "$h" --version 2>/dev/null </dev/null | head -n 1 | tr -cd A-Za-z0-9.+- | cut -c 1-64)`,
    'done',
    'l=glibc',
    'getconf GNU_LIBC_VERSION >/dev/null 2>&1 || for f in /lib/ld-musl-*',
    'do',
    'if [ -e "$f" ]',
    'then',
    'l=musl',
    'fi',
    'done',
    'if [ "$w" ]',
    'then',
    'w=\\"$w\\"',
    'else',
    'w=null',
    'fi',
    `printf "HANSARD-STDIO {\\"type\\":\\"missing\\",${['system', 'machine', 'libc'].map((name) => `\\"${name}\\":\\"%s\\"`).join(',')},\\"version\\":%s}\\012" "$(uname -s)" "$(uname -m)" "$l" "$w"`,
    'exec cat >/dev/null',
  ]);
}
