import { FIND_DATA, inAnyShell, plainVersion } from './shellWord.ts';

/** The last line of the script's output: `HANSARD-SETUP ok`, or the step that failed. */
export const SETUP_FAULTS = ['folder', 'copy', 'cut', 'checksum', 'unpack', 'start', 'busy', 'move'] as const;
export type SetupFault = (typeof SETUP_FAULTS)[number];

const NODE_SUM =
  '"process.stdout.write(require(\\"crypto\\").createHash(\\"sha256\\").update(require(\\"fs\\").readFileSync(process.argv[1])).digest(\\"hex\\"))"';

/** `u`: the running programs. Empty if unknown, so that nothing is removed. */
const FIND_RUNNING = 'u=$( (ps -A -o args= || ps -o args) 2>/dev/null)';

/**
 * Reads the packed installation from stdin, and moves it into place when it is complete and starts. Until then it is in its own folder, which is
 * removed in any case; a later set-up removes one that a killed machine has left. Afterwards removes our older versions that do not run.
 */
export function installScript(version: string, { bytes, sha256 }: { bytes: number; sha256: string }): string {
  return inAnyShell([
    'umask 077',
    FIND_DATA,
    'p=',
    'finish() { cd /; [ -z "$p" ] || rm -rf "$p"; printf "HANSARD-SETUP %s\\012" "$1"; exit "$2"; }',
    'trap "finish cut 1" HUP INT TERM PIPE',
    's=$d/hansard/server',
    'mkdir -p "$s" || finish folder 1',
    's=$(cd "$s" && pwd -P) || finish folder 1',
    'find "$s" -maxdepth 1 -name "*.partial" -mmin +60 -exec rm -rf {} + 2>/dev/null',
    `t=$s/${plainVersion(version)}`,
    'p=$t.$$.partial',
    'mkdir "$p" "$p/new" || finish folder 1',
    'cat >"$p/tgz" || finish copy 1',
    `[ "$(($(wc -c <"$p/tgz")))" = ${bytes} ] || finish cut 1`,
    'x=$( { sha256sum || shasum -a 256 || openssl dgst -sha256; } <"$p/tgz" 2>/dev/null)',
    `case $x in ""|*${sha256}*) ;; *) finish checksum 1 ;; esac`,
    'gzip -dc <"$p/tgz" | tar -xof - -C "$p/new" || finish unpack 1',
    `[ "$x" ] || x=$("$p/new/node/bin/node" -e ${NODE_SUM} "$p/tgz")`,
    `case $x in *${sha256}*) ;; *) finish checksum 1 ;; esac`,
    'rm "$p/tgz"',
    'mkdir "$p/new/bin" && ln -s ../resources/bin/hansard "$p/new/bin/hansard" || finish unpack 1',
    `[ "$("$p/new/bin/hansard" --version </dev/null)" = ${version} ] || finish start 1`,
    FIND_RUNNING,
    'if [ -e "$t" ]',
    'then',
    'case $u in ""|*"$t/"*) finish busy 1 ;; esac',
    'mv "$t" "$p/old" || finish move 1',
    'fi',
    'mv "$p/new" "$t" || { mv "$p/old" "$t"; finish move 1; }',
    'for o in "$s"/*',
    'do',
    'case $o in "$t"|*.partial) continue ;; esac',
    'case $u in ""|*"$o/"*) ;; *) rm -rf "$o" ;; esac',
    'done',
    'finish ok 0',
  ]);
}

/**
 * Removes everything that was copied there. Asks a core that runs from it to end, which it does if no program runs in its terminals; otherwise
 * nothing is removed. Our own connection, which also runs from there, ends last.
 */
export function removeScript(): string {
  return inAnyShell([
    FIND_DATA,
    's=$(cd "$d/hansard/server" 2>/dev/null && pwd -P) || { echo HANSARD-SETUP ok; exit 0; }',
    FIND_RUNNING,
    'for o in "$s"/*',
    'do',
    'case $u in *"$o/out/main/cli.js serve start"*) "$o/bin/hansard" serve stop </dev/null >&2 || { echo HANSARD-SETUP busy; exit 1; } ;; esac',
    'done',
    'cd /',
    'rm -rf "$s" || { echo HANSARD-SETUP move; exit 1; }',
    'echo HANSARD-SETUP ok',
  ]);
}
