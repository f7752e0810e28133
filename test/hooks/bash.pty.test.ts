import { afterEach, describe, expect, test } from 'vitest';
import { RealShell, type RealShellOptions, TEST_NONCE } from '../support/RealShell.ts';
import { expectCards, known, type Typed } from './commandLaw.ts';
import { PREEXEC_STAND_IN } from './preexecStandIn.ts';

let shell: RealShell;
const bash = async (rc = '', options: Partial<RealShellOptions> = {}) => {
  shell = await RealShell.start({ shell: 'bash', home: { '.bashrc': rc }, ...options });
  return shell;
};
afterEach(async () => await shell.dispose());

const LONG = `echo ${'x'.repeat(3990)}`;
const EVERYDAY: Typed[] = [
  ...known('echo a', 'echo a; echo b', '( echo sub; echo shell )', 'echo "a;b" | cat', LONG, `echo 'ü 漢字 🙂'`),
  { keys: 'false', exit: 1 },
  { keys: 'false | true', exit: 0 },
  { keys: '(exit 42)', exit: 42 },
  { keys: 'no-such-command-here', exit: 127 },
  { keys: 'for i in 1 2; do echo $i; done', exit: 0 },
];

describe('history settings', () => {
  test.each([
    ['plain', 'HISTCONTROL='],
    ['ignorespace', 'HISTCONTROL=ignorespace'],
    ['ignoredups', 'HISTCONTROL=ignoredups'],
    ['ignoreboth', 'HISTCONTROL=ignoreboth'],
    ['erasedups', 'HISTCONTROL=erasedups:ignoreboth'],
    ['HISTIGNORE', "HISTIGNORE='echo*:ls'"],
    ['no history file', 'unset HISTFILE'],
    ['no history kept', 'HISTSIZE=0'],
    ['a history of two', 'HISTSIZE=2'],
    ['history switched off', 'set +o history'],
    ['timestamps', "HISTTIMEFORMAT='%F %T '"],
    ['read-only timestamps', "readonly HISTTIMEFORMAT='%F %T '"],
    ['lithist', 'shopt -s lithist'],
    ['no cmdhist', 'shopt -u cmdhist'],
    ['shared history', "PROMPT_COMMAND='history -a; history -c; history -r'"],
  ])('tells every command once and no text wrong with %s', async (_, rc) => {
    await bash(rc);
    const loop = 'for i in 1 2\ndo echo $i\ndone';
    await expectCards(shell, [
      { keys: 'echo a', exit: 0 },
      { keys: 'echo a', exit: 0 },
      { keys: ' echo hidden', exit: 0 },
      { keys: 'echo b', exit: 0 },
      { keys: 'echo a', exit: 0 },
      { keys: 'false', exit: 1 },
      { keys: loop.replaceAll('\n', '\r'), exit: 0, cmd: /(?:lithist|cmdhist)$/.test(rc) ? loop : null },
      { keys: 'cat <<E\rone\rE', exit: 0, cmd: null },
    ]);
  });

  test.each(['', 'HISTCONTROL=ignoreboth', 'readonly LC_ALL=C.UTF-8'])(
    'knows the text of everyday commands (%s)',
    async (rc) => {
      await bash(rc);
      await expectCards(
        shell,
        EVERYDAY.map((typed) => ({ ...typed, cmd: typed.keys })),
      );
    },
  );

  test('says nothing about a line that another shell put into a shared history', async () => {
    await bash("HISTCONTROL=ignorespace; PROMPT_COMMAND='history -a; history -c; history -r'");
    await shell.run('echo mine');
    shell.writeHome('.bash_history', 'echo mine\necho from another shell\n');
    await shell.run('');
    await expectCards(shell, [{ keys: ' echo hidden', exit: 0, cmd: null }, ...known('echo next')]);
  });

  test('does not take a command of edit-and-execute-command for the hidden one after it', async () => {
    await bash("HISTCONTROL=ignorespace; EDITOR=true; PS1='> '");
    shell.type('echo edi"ted"\x18\x05');
    await shell.waitFor(() => shell.text.includes('edited\r\n'));
    await new Promise((resolve) => setTimeout(resolve, 3100)); // the history has timestamps in seconds, so the next entry must be later
    await expectCards(shell, [{ keys: ' echo hidden', exit: 0, cmd: null }]);
  });

  test.each([
    ['HISTCONTROL=ignorespace', true],
    ['HISTCONTROL=erasedups:ignoreboth', true],
    ["HISTIGNORE=' *'", true],
    ['HISTCONTROL=ignoredups', false],
    ['HISTCONTROL=', false],
  ])('says whether a leading space keeps a line out of history: %s', async (rc, nohist) => {
    await bash(rc);
    await shell.run(' echo a');
    expect(shell.cards.map((card) => card.nohist)).toEqual([nohist]);
  });
});

describe('prompt commands', () => {
  const PROMPT = 'PS1="<$?>"';
  test.each([
    ['a string', `PROMPT_COMMAND='echo "[$?]"'`],
    ['a string that ends in a semicolon', `PROMPT_COMMAND='echo "[$?]";'`],
    ['a string that ends in a comment', `PROMPT_COMMAND='echo "[$?]" # said'`],
    ['an exported string', `export PROMPT_COMMAND='echo "[$?]"'`],
    ['an array', `PROMPT_COMMAND=('echo "[$?]"' true)`],
    ['an array with a gap', `PROMPT_COMMAND=([3]='echo "[$?]"' [7]=true)`],
  ])('gives the status to %s and keeps its output out of the cards', async (_, rc) => {
    await bash(rc);
    await expectCards(shell, [{ keys: '(exit 5)', exit: 5, cmd: '(exit 5)' }, ...known('echo out')]);
    expect(shell.cards.map(({ output }) => output)).toEqual(['', 'out\r\n']);
    expect(shell.text).toContain('[5]\r\n');
  });

  test('keeps PIPESTATUS and $_ for an array', async () => {
    await bash(`PROMPT_COMMAND=('echo "[\${PIPESTATUS[*]} $_]"')`);
    await shell.run('(exit 3) | true | false');
    await shell.run('true last-word');
    expect(shell.text).toContain('[3 0 1 ');
    expect(shell.text).toContain('[0 last-word]');
  });

  test('leaves the type of PROMPT_COMMAND as it was', async () => {
    await bash('export PROMPT_COMMAND=:');
    await shell.run('declare -p PROMPT_COMMAND | head -c 30');
    expect(shell.cards[0]?.output).toMatch(/^declare -x PROMPT_COMMAND=/);
  });

  test('does not grow the prompt when the prompt code sets it anew', async () => {
    await bash(`PROMPT_COMMAND='${PROMPT}'`);
    for (let n = 0; n < 4; n++) await shell.run('true');
    await shell.run('declare -p PS1');
    const said = shell.cards.at(-1)?.output ?? '';
    expect([said.split('133;P').length, said.split('133;B').length]).toEqual([2, 2]);
  });

  test.each([
    ['a string in its place', 'PROMPT_COMMAND="echo PC"'],
    ['an array in its place', 'PROMPT_COMMAND=(: :)'],
    ['none', 'unset PROMPT_COMMAND'],
    ['one put before ours', 'PROMPT_COMMAND="echo PC; $PROMPT_COMMAND"'],
    ['another PS1', "PS1='new> '"],
    ['another PS0 and PS2', "PS0= PS2='... '"],
    ['none and another PS1', "unset PROMPT_COMMAND; PS1='new> '"],
  ])('comes back after the person set %s', async (_, line) => {
    await bash();
    const before = shell.marks.length;
    shell.type(`${line}\r`);
    await shell.waitFor(() => shell.marks.length > before);
    shell.type('echo "a"1\r');
    await shell.waitFor(() => shell.text.includes('a1\r\n'));
    await shell.waitFor(() => shell.marks.at(-1)?.name === 'PROMPT');
    await expectCards(shell, [{ keys: '(exit 7)', exit: 7, cmd: '(exit 7)' }, ...known('echo out')]);
    expect(shell.cards.slice(-2).map(({ output }) => output)).toEqual(['', 'out\r\n']);
    expect(shell.marks.at(-1)?.fields.degraded).toBeUndefined();
  });

  test('comes back each time that both are replaced, and leaves no trap', async () => {
    await bash();
    for (const n of [1, 2, 3]) {
      shell.type(`unset PROMPT_COMMAND; PROMPT_COMMAND=: PS1='new> '\r`);
      await shell.waitFor(() => shell.text.split('new> ').length > 2 * n);
      await shell.run(`trap -p; echo ${n}`, 2);
      await expectCards(shell, [{ keys: '(exit 7)', exit: 7, cmd: '(exit 7)' }]);
      expect(shell.cards.slice(-2).map(({ output }) => output)).toEqual([`${n}\r\n`, '']);
      expect(shell.marks.at(-1)?.fields.degraded).toBeUndefined();
    }
  });

  test('comes back after the person read .bashrc again', async () => {
    await bash("PROMPT_COMMAND='echo PC'; PS1='> '");
    const before = shell.marks.length;
    shell.type('. ~/.bashrc\r');
    await shell.waitFor(() => shell.marks.length > before && shell.text.split('PC\r\n').length === 3);
    await shell.run('echo "a"1', 2);
    await expectCards(shell, [{ keys: '(exit 7)', exit: 7 }, ...known('echo out')]);
    expect(shell.cards.slice(-2).map(({ output }) => output)).toEqual(['', 'out\r\n']);
  });

  test('lives with a prompt of 2,000 characters', async () => {
    await bash("printf -v PS1 '%*s> ' 2000 ''");
    for (let n = 0; n < 3; n++) await shell.run('true');
    expect(shell.cards.map(({ cmd }) => cmd)).toEqual(['true', 'true', 'true']);
  });

  test('says that it is degraded, and still counts, when PROMPT_COMMAND is read-only', async () => {
    await bash("readonly PROMPT_COMMAND=':'");
    await expectCards(shell, [
      { keys: '(exit 7)', exit: 7 },
      { keys: 'echo out', exit: 0 },
    ]);
    const said = shell.marks.at(-1)?.fields.degraded ?? '';
    expect(Buffer.from(said, 'base64').toString()).toBe('PROMPT_COMMAND is read-only');
  });
});

describe('options and traps of the person', () => {
  test.each([
    ['set -u', 'set -u'],
    ['set -o noclobber', 'set -o noclobber'],
    ['set -f', 'set -f'],
    ['set -E', "set -E; trap ': err' ERR"],
    ['set -a', 'set -a'],
    ['IFS=x', 'IFS=x'],
    ['the C locale', 'LC_ALL=C'],
    ['vi mode', 'set -o vi'],
    ['posix mode', 'set -o posix'],
    ['a DEBUG trap', 'trap \': "$BASH_COMMAND"\' DEBUG'],
    ['functrace', 'set -T; trap \': "$BASH_COMMAND"\' DEBUG RETURN'],
    ['extdebug', 'shopt -s extdebug; trap \': "$BASH_COMMAND"\' DEBUG'],
    ['aliases on our words', 'alias printf=false history=false trap=false eval=false kill=false'],
    [
      'functions on our words',
      'printf() { echo bad; }; history() { echo bad; }; trap() { echo bad; }; kill() { echo bad; }',
    ],
    ['bash-preexec', PREEXEC_STAND_IN],
    ['nullglob and failglob', 'shopt -s failglob nocasematch'],
  ])('tells every command rightly under %s', async (_, rc) => {
    await bash(rc);
    await expectCards(shell, EVERYDAY);
    expect(shell.text).not.toContain('bad');
  });

  test('shows nothing of itself and no nonce under set -x', async () => {
    await bash();
    await shell.run('set -x');
    await expectCards(shell, [...known('echo a', 'cd /'), { keys: 'false', exit: 1 }]);
    expect(shell.cards.slice(1).map(({ output }) => output)).toEqual([
      '+ echo a\r\na\r\n',
      '+ cd /\r\n',
      '+ false\r\n',
    ]);
    const unmarked = shell.marks.reduceRight((text, { at, end }) => text.slice(0, at) + text.slice(end), shell.text);
    expect(unmarked).not.toMatch(/hansard_|7717/);
    expect(unmarked).not.toContain(TEST_NONCE);
  });

  test('does not fire a DEBUG trap after the prompt code of the person', async () => {
    await bash(`trap 'fired+=("$BASH_COMMAND")' DEBUG; PROMPT_COMMAND='fired=()'`);
    await shell.run(`echo "\${fired[@]}"`);
    await shell.run(`echo "<\${fired[@]}>"`);
    expect(shell.cards.at(-1)?.output).toBe(`<echo "<\${fired[@]}>">\r\n`);
  });

  test('fires an ERR trap once', async () => {
    await bash(`trap 'echo "ERR$?"' ERR; PROMPT_COMMAND=':'`);
    for (let n = 0; n < 2; n++) await shell.run('(exit 9)');
    await shell.run('true');
    expect(shell.text.match(/ERR9/g)).toHaveLength(2);
  });

  test('lets bash-preexec run its functions once for each command and not for our own', async () => {
    await bash(`${PREEXEC_STAND_IN}\npre() { echo "pre<$1>"; }; preexec_functions=(pre)`);
    await shell.run('echo a');
    await shell.run('');
    await shell.run('false; echo b');
    expect(shell.text.match(/pre<.*?>/g)).toEqual(['pre<echo a>', 'pre<false; echo b>']);
  });

  test('says that a leading space keeps a line out of history when bash-preexec does it', async () => {
    await bash(`HISTCONTROL=ignoreboth\n${PREEXEC_STAND_IN}`);
    await shell.run('true');
    await shell.run(' echo hidden');
    expect(shell.cards.at(-1)?.nohist).toBe(true);
  });

  test('ends with set -e like a shell without it', async () => {
    await bash();
    await shell.run('set -e');
    await shell.run('! true');
    shell.type('false\r');
    await shell.waitFor(() => shell.exit !== null);
    expect([shell.exit?.exitCode, shell.cards.length]).toEqual([1, 3]);
  });
});
