import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type IPty, spawn } from 'node-pty';
import { afterEach, expect, test } from 'vitest';
import { knownToFish } from '../support/fishHome.ts';
import { RealShell } from '../support/RealShell.ts';

/** Prints every state of the shell that a person can notice, through descriptor 7 into a file. */
const POSIX = `exec 7>>~/seen
false
echo "status $?" >&7
true last-arg
echo "last argument $_" >&7
(exit 3) | true | (exit 4)
echo "pipe \${PIPESTATUS[*]}\${pipestatus[*]}" >&7
echo "no job yet <$!>" >&7
jobs >&7 2>&1
sleep 0.1 & wait $!
echo "waited $?" >&7
jobs >&7 2>&1
set -m; jobs >&7 2>&1
set +m; (sleep 0.1 &); jobs >&7 2>&1
wait; echo "all $?" >&7
set -m
set -u; echo "<\${UNSET-}>" >&7
set +u
echo "$- $IFS \${OLDPWD-none}" >&7
umask >&7`;

/** Accepted difference: a DEBUG trap also runs for the head of PROMPT_COMMAND. */
const BASH = `shopt >&7
set -o >&7
compgen -A function | grep -v hansard >&7
echo "\${BASH_REMATCH[*]-none} $LINENO \${#DIRSTACK[@]}" >&7
trap 'echo "E<$?>" >&7' ERR
(exit 5)
true
trap - ERR
trap -p EXIT DEBUG ERR RETURN >&7
trap >&7
compgen -v | grep -vE '^(__hansard_|PS0$|PROMPT_COMMAND$|OPTIND$|BASH_ARG|PIPESTATUS$|_$)' >&7
compgen -e >&7; compgen -A arrayvar | grep -vE '^(__hansard_|PROMPT_COMMAND$)' >&7
sleep 0.2 & mine=$!
[[ $mine == "$!" && $(jobs -p) == "$mine" ]]; echo "own job $?" >&7
wait "$mine"; jobs >&7; jobs -n >&7
{ :; } & wait; [[ -n $! ]]; echo "newest job $?" >&7
declare -p | grep -vE "^declare -[^ ]+ (__hansard_|PS[0-2]=|PROMPT_COMMAND=|OPTIND=|BASH_ARG|PIPESTATUS=|BASH=|PPID=|SHLVL=|[S]?RANDOM=|SECONDS=|EPOCH|COMP_WORDBREAKS)" >&7
set -o posix; set | grep -vE '^(__hansard_|PS[0-2]=|PROMPT_COMMAND=|OPTIND=|BASH|PIPESTATUS=|PPID=|SHLVL=|S?RANDOM=|SECONDS=|EPOCH)' >&7; set +o posix
alias >&7; bind -p >&7; bind -s >&7; bind -X >&7; complete -p >&7; hash -l >&7; enable -a >&7; dirs -v >&7
env | grep -vE '^(HOME|PWD|OLDPWD|_|SHLVL)=' | sort >&7; times | wc -l >&7; ulimit -a >&7
ls /proc/$$/fd >&7; grep -E '^Sig(Blk|Ign|Cgt)' /proc/$$/status >&7
fc -ln -3 >&7
history >&7`;
/**
 * zsh lists its descriptors itself, because it has one more for a moment while it starts a program.
 * Accepted differences: the hook's own functions and parameters, the arrays that contain them, and three tables of zsh/parameter that it
 * reads.
 */
const ZSH = `setopt | sort >&7
print -l \${(ok)functions} | grep -v hansard >&7
TRAPZERR() { echo "E$?" >&7 }
(exit 5)
true
unfunction TRAPZERR
trap >&7
print -l \${(ok)parameters} | grep -vE '^(__hansard_|p(re)?cmd_functions$|preexec_functions$|zshaddhistory_functions$|PROMPT_EOL_MARK$)' >&7
typeset -x | cut -d= -f1 >&7
sleep 0.2 & mine=$!
[[ $mine == $! ]]; echo "own job $?" >&7
wait $mine; jobs >&7
typeset -p | grep -vE '(__hansard_|p(re)?cmd_functions=|preexec_functions=|zshaddhistory_functions=|PS1=|PROMPT=|prompt=|PROMPT_EOL_MARK=|RANDOM=|SECONDS=|EPOCH|TTYIDLE=|PPID=|SHLVL=|TTY=| (functions|galiases|saliases)$)' >&7
alias -L >&7; bindkey -L >&7; zle -lL >&7; zmodload >&7; hash -L >&7; dirs -v >&7; set | wc -l >&7; setopt >&7
env | grep -vE '^(HOME|PWD|OLDPWD|_|SHLVL|ZDOTDIR)=' | sort >&7; ulimit -a >&7; zstyle -L >&7; sched >&7
print -l /proc/$$/fd/*(:t) >&7; grep -E '^Sig(Blk|Ign|Cgt)' /proc/$$/status >&7
fc -l 1 >&7`;
const FISH = `false
echo status $status >> ~/seen
false | true | false
echo pipe $pipestatus >> ~/seen
jobs >> ~/seen 2>&1
sleep 0.1 &
wait
jobs >> ~/seen 2>&1
functions -n | string split ', ' | string match -v '*hansard*' >> ~/seen
functions --handlers | string match -v '*hansard*' >> ~/seen
set -x >> ~/seen
trap >> ~/seen
set -n | string match -v '__hansard_*' >> ~/seen
abbr >> ~/seen; bind >> ~/seen; alias >> ~/seen; complete >> ~/seen; functions -a -n | string split ', ' | string match -v '*hansard*' >> ~/seen
env | grep -vE '^(HOME|PWD|OLDPWD|_|SHLVL)=' | sort >> ~/seen; history >> ~/seen
ls /proc/$fish_pid/fd >> ~/seen; grep -E '^Sig(Blk|Ign|Cgt)' /proc/$fish_pid/status >> ~/seen`;

/** Under xtrace a shell prints the commands that it runs; the trace must not contain the hook's. */
const TRACED = `set -x
true traced
false traced
cd / ; cd
set +x`;

const homes: string[] = [];
let bare: IPty | undefined;
afterEach(() => {
  bare?.kill('SIGKILL');
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
});

/** Types the lines one after the other, each when the previous one has ended, and returns the content of the file. */
async function typed(home: string, script: string, type: (keys: string) => void): Promise<string> {
  const done = join(home, 'done');
  for (const line of script.split('\n')) {
    type(`${line}\r`);
    if (line.startsWith('false') || line.startsWith('(exit') || line.startsWith('true')) continue; // the next line reads its status
    type('echo > ~/done\r');
    await expect.poll(() => existsSync(done), { timeout: 15_000, message: line }).toBe(true);
    rmSync(done);
  }
  const seen = join(home, 'seen');
  return existsSync(seen) ? readFileSync(seen, 'latin1').replaceAll(home, '~') : '';
}

/** Runs the script in the shell that `RealShell` starts, without the hook. */
async function withoutHook(shell: string, file: string, script: string): Promise<{ seen: string; text: string }> {
  const home = mkdtempSync(join(tmpdir(), 'hansard-bare-'));
  homes.push(home);
  knownToFish(home);
  mkdirSync(dirname(join(home, file)), { recursive: true });
  writeFileSync(join(home, file), '');
  const env = { HOME: home, PATH: '/usr/bin:/bin', TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  bare = spawn(`/usr/bin/${shell}`, ['-i'], { cols: 100, rows: 30, cwd: home, env });
  let text = '';
  bare.onData((data) => {
    text += data;
  });
  const pty = bare;
  return { seen: await typed(home, script, (keys) => pty.write(keys)), text };
}

async function withHook(shell: string, file: string, script: string): Promise<{ seen: string; text: string }> {
  const hooked = await RealShell.start({ shell, home: { [file]: '' } });
  try {
    const seen = await typed(hooked.home, script, (keys) => hooked.type(keys));
    return { seen, text: hooked.text };
  } finally {
    await hooked.dispose();
  }
}

/** Lines of a trace, without the marks before them. */
function traceOf(text: string): string[] {
  const lines = text.replaceAll(/\x1b\][^\x07]*\x07/g, '').split(/[\r\n]+/);
  return lines.filter((line) => /^\++[^ ]* /.test(line));
}

test.each([
  ['bash', '.bashrc', `${POSIX}\n${BASH}`],
  ['zsh', '.zshrc', `${POSIX}\n${ZSH}`],
  ['fish', '.config/fish/config.fish', FISH],
])(
  '%s shows the same of itself with the hook and without',
  async (shell, file, script) => {
    const { seen } = await withHook(shell, file, script);
    expect(seen).not.toBe('');
    expect(withoutIds(seen)).toEqual(withoutIds((await withoutHook(shell, file, script)).seen));
  },
  120_000,
);

test.each([
  ['bash', '.bashrc'],
  ['zsh', '.zshrc'],
])(
  '%s traces the same commands with the hook and without',
  async (shell, file) => {
    const { text } = await withHook(shell, file, TRACED);
    expect(traceOf(text)).toEqual(traceOf((await withoutHook(shell, file, TRACED)).text));
    expect(traceOf(text)).not.toEqual([]);
  },
  120_000,
);

/** Replaces process ids and times, which differ from run to run. */
function withoutIds(seen: string): string[] {
  return seen.replaceAll(/\b\d{3,}\b/g, 'N').split('\n');
}
