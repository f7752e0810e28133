import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { HOOKS_DIR, RealShell, type RealShellOptions, TEST_NONCE } from '../support/RealShell.ts';
import { expectCards, known } from './commandLaw.ts';
import { PREEXEC_STAND_IN } from './preexecStandIn.ts';

let shell: RealShell;
const bash = async (rc = '', options: Partial<RealShellOptions> = {}) => {
  shell = await RealShell.start({ shell: 'bash', home: { '.bashrc': rc }, ...options });
  return shell;
};
afterEach(async () => await shell.dispose());

const degraded = () => Buffer.from(shell.marks.at(-1)?.fields.degraded ?? '', 'base64').toString();

describe('what is typed', () => {
  test('counts a paste of several lines as several commands', async () => {
    await bash();
    shell.type('\x1b[200~echo one\necho two\nfalse\x1b[201~\r');
    await shell.waitFor(() => shell.cards.length === 3 && shell.marks.at(-1)?.name === 'PROMPT');
    expect(shell.cards.map(({ cmd, exit }) => ({ cmd, exit }))).toEqual([
      { cmd: 'echo one', exit: 0 },
      { cmd: 'echo two', exit: 0 },
      { cmd: 'false', exit: 1 },
    ]);
  });

  test('counts keys typed ahead as one command a line', async () => {
    await bash();
    shell.type('echo one\recho two\rsleep 0.05\r(exit 4)\r');
    await shell.waitFor(() => shell.cards.length === 4 && shell.cards[3]?.exit !== null);
    expect(shell.cards.map(({ cmd, exit }) => `${cmd} ${exit}`)).toEqual([
      'echo one 0',
      'echo two 0',
      'sleep 0.05 0',
      '(exit 4) 4',
    ]);
  });

  test.each([
    ['several lines', 'for i in 1 2\rdo\recho $i\rdone', null],
    ['a here-document', 'cat <<END\rone\r  two\rEND', null],
    ['a quoted newline', "echo 'one\rtwo'", "echo 'one\ntwo'"],
    ['a continued line', 'echo one \\\rtwo', null],
    ['a pasted loop', '\x1b[200~for i in 1 2\ndo echo $i\ndone\x1b[201~', null],
  ])('counts %s as one command and never reports the joined text of the history', async (_, keys, cmd) => {
    await bash();
    await expectCards(shell, [{ keys, exit: 0, cmd }, ...known('echo next')]);
  });

  test('says how many lines were typed', async () => {
    await bash();
    await shell.run('for i in 1 2\rdo\recho $i\rdone');
    await shell.run('true');
    const lines = shell.marks.filter(({ name }) => name === 'BLOCK_BEGIN').map(({ fields }) => fields.lines);
    expect(lines).toEqual(['4', undefined]);
  });

  test('makes no card for Return, blanks, a comment or Ctrl-C at the prompt', async () => {
    await bash();
    await shell.run('');
    await shell.run('   ');
    const prompts = shell.prompts;
    shell.type('echo half');
    await shell.waitFor(() => shell.text.includes('half'));
    // The terminal can echo the text before the shell reads its line, and the shell then misses Ctrl-C. So the test presses it repeatedly.
    shell.type('\x03');
    const presses = setInterval(() => shell.type('\x03'), 500);
    await shell.waitFor(() => shell.prompts > prompts).finally(() => clearInterval(presses));
    await shell.run('');
    await expectCards(shell, known('echo after'));
    expect(shell.cards).toHaveLength(1);
  });

  test('tells 130 for a command ended by Ctrl-C', async () => {
    await bash();
    shell.type(`sh -c 'echo u""p; exec sleep 100'\r`);
    await shell.waitFor(() => shell.text.includes('up\r\n'));
    const prompts = shell.prompts;
    shell.type('\x03');
    await shell.waitFor(() => shell.prompts > prompts);
    expect(shell.cards.map(({ cmd, exit }) => ({ cmd, exit }))).toEqual([
      { cmd: `sh -c 'echo u""p; exec sleep 100'`, exit: 130 },
    ]);
  });

  test('tells a text of any length within a marker and leaves out a longer one', async () => {
    await bash();
    const long = (bytes: number) => `: ${'ü'.repeat(bytes / 2)}`;
    await expectCards(shell, [...known(long(398), long(402), long(4000)), { keys: long(4000), exit: 0 }]);
    for (const mark of shell.marks) expect(mark.end - mark.at).toBeLessThan(65_536);
  });

  test('tells a command out of the history as it was run', async () => {
    await bash();
    await shell.run('echo one');
    await expectCards(shell, [{ keys: '!!; echo two', exit: 0, cmd: 'echo one; echo two' }]);
    await expectCards(shell, [{ keys: '\x1b[A', exit: 0, cmd: 'echo one; echo two' }]);
  });
});

describe('the end of the prompt', () => {
  const END = '\x1b]133;B\x07';
  const ends = () => shell.text.split(END).length - 1;

  test.each([
    ['a plain prompt', "PS1='> '"],
    ['prompt code that sets PS1', `PROMPT_COMMAND='PS1="<$?> "'`],
    ['an array of prompt code that sets PS1', `PROMPT_COMMAND=(':' 'PS1="<$?> "')`],
    [
      'bash-preexec with a precmd that sets PS1',
      `${PREEXEC_STAND_IN}\nmine() { PS1="<$?> "; }; precmd_functions=(mine)`,
    ],
    [
      'a prompt that an environment puts itself before',
      `PS1='> '; PROMPT_COMMAND='[[ $PS1 == "(v)"* ]] || PS1="(v)$PS1"'`,
    ],
  ])('is marked at every prompt but the first few with %s', async (_, rc) => {
    await bash(rc);
    for (let n = 0; n < 4; n++) await shell.run('true');
    await shell.waitFor(() => shell.text.endsWith(END));
    const before = ends();
    for (let n = 0; n < 4; n++) await shell.run('true');
    await shell.waitFor(() => shell.text.endsWith(END));
    expect(ends()).toBe(before + 4);
    expect(shell.cards).toHaveLength(8);
  });

  test('gives way to a DEBUG trap when the prompt code sets PS1', async () => {
    await bash(`trap 'fired+=x' DEBUG; PROMPT_COMMAND='PS1="> " fired='`);
    for (let n = 0; n < 4; n++) await shell.run('echo "<$fired>"');
    expect(shell.cards.map(({ output }) => output)).toEqual(Array(4).fill('<x>\r\n'));
  });
});

describe('folders and processes', () => {
  test('tells a folder whose name is no UTF-8, byte for byte', async () => {
    await bash();
    await shell.run(String.raw`mkdir $'\xff\xfe;=\n\x1b' && cd $'\xff\xfe;=\n\x1b'`);
    await shell.run('true');
    expect(shell.cards.at(-1)?.cwd).toBe(`${shell.home}/\xff\xfe;=\n\x1b`);
  });

  test.each(['', 'set -a', 'export PS1 PS0 PS2'])('gives no child the nonce or our variables (%s)', async (rc) => {
    await bash(rc);
    await shell.run('env > env1; export PROMPT_COMMAND; env > env2');
    await shell.run('env > env3; declare -px > env4');
    const seen = ['env1', 'env2', 'env3', 'env4']
      .map((name) => readFileSync(join(shell.home, name), 'latin1'))
      .join('');
    expect(seen).not.toContain(TEST_NONCE);
    expect(seen).not.toMatch(/HANSARD|__hansard_(on|nonce)=/);
  });

  test('makes one card of a nested bash, also one that inherits the prompt and the prompt command', async () => {
    await bash("PROMPT_COMMAND='echo PC'; export PROMPT_COMMAND PS1 PS0 PS2 PS4");
    const before = shell.marks.length;
    shell.type('bash --norc\r');
    await shell.waitFor(() => shell.marks.length > before);
    shell.type('echo in"ner"\r(exit 3)\rexit\r');
    await shell.waitFor(() => shell.marks.at(-1)?.name === 'PROMPT' && shell.text.includes('exit\r\n'));
    expect(shell.cards.map(({ cmd, exit }) => ({ cmd, exit }))).toEqual([{ cmd: 'bash --norc', exit: 3 }]);
    expect(shell.cards[0]?.output).not.toMatch(/hansard|not found/);
  });

  test('leaves the card of `exec` open', async () => {
    await bash();
    shell.type('exec bash --norc\r');
    await shell.waitFor(() => shell.cards.length === 1);
    shell.type('echo in"ner"\rexit 6\r');
    await shell.waitFor(() => shell.exit !== null);
    expect([shell.cards.map(({ exit }) => exit), shell.exit?.exitCode]).toEqual([[null], 6]);
  });

  test('keeps marking when the person redirects the shell itself', async () => {
    await bash();
    await shell.run('exec 3>&1 >out');
    await expectCards(shell, known('echo a'));
    await shell.run('exec >&3 2>err');
    await expectCards(shell, known('echo b'));
  });

  test('reads the login files in the order of a login shell, and .bash_logout at the end', async () => {
    await bash('', {
      login: true,
      home: { '.bash_profile': 'A=profile', '.profile': 'A=wrong', '.bash_logout': 'echo "bye $A"' },
    });
    await expectCards(shell, known('echo $A'));
    shell.type('exit 3\r');
    await shell.waitFor(() => shell.exit !== null);
    expect([shell.exit?.exitCode, shell.cards[0]?.output, shell.text.includes('bye profile')]).toEqual([
      3,
      'profile\r\n',
      true,
    ]);
  });

  test('leaves the status of .bashrc to the first prompt', async () => {
    await bash("PS1='<$?>'; (exit 3)");
    await shell.waitFor(() => shell.text.includes('<'));
    expect(shell.text).toContain('<3>');
  });
});

describe('where it cannot vouch', () => {
  test('says so when promptvars is off, and comes back', async () => {
    await bash();
    await shell.run('shopt -u promptvars');
    await shell.run('true');
    expect(degraded()).toBe('the shell option promptvars is off');
    expect(shell.text).not.toContain('__hansard');
    await shell.run('shopt -s promptvars');
    await expectCards(shell, known('echo a'));
    expect(degraded()).toBe('');
  });

  test.each(['PS0', 'PS1', 'PS2'])('says so when %s is read-only', async (name) => {
    await bash(`readonly ${name}='x> '`);
    await shell.run('true');
    expect(degraded()).toBe(`${name} is read-only`);
  });
});

test('bash before 4.4 makes do with a DEBUG trap', async () => {
  const dir = join((await bash()).home, 'hooks');
  mkdirSync(dir);
  for (const name of ['hansard.bash', 'bash-before-4.4.bash']) cpSync(join(HOOKS_DIR, name), join(dir, name));
  const hook = readFileSync(join(dir, 'hansard.bash'), 'utf8');
  writeFileSync(join(dir, 'hansard.bash'), hook.replace('< 404)); then', '< 909)); then'));
  const old = await RealShell.start({
    shell: 'bash',
    hooksDir: dir,
    home: { '.bashrc': "trap 'seen=1' DEBUG; PROMPT_COMMAND='echo PC'" },
  });
  await expectCards(old, [
    ...known('echo a', `echo 'ü'`),
    { keys: 'false', exit: 1, cmd: 'false' },
    { keys: 'echo a; echo b', exit: 0, cmd: null },
    { keys: 'for i in 1 2; do echo $i; done', exit: 0, cmd: null },
    { keys: 'echo $seen', exit: 0, cmd: 'echo $seen' },
  ]);
  expect(old.cards.map(({ output }) => output)).toEqual(
    ['a\r\n', 'ü\r\n', '', 'a\r\nb\r\n', '1\r\n2\r\n', '1\r\n'].map((s) => Buffer.from(s).toString('latin1')),
  );
  await old.dispose();
});
