import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { RealShell, type RealShellOptions, TEST_NONCE } from '../support/RealShell.ts';
import { expectCards, known, type Typed } from './commandLaw.ts';

let shell: RealShell;
const fish = async (config = '', options: Partial<RealShellOptions> = {}) => {
  shell = await RealShell.start({ shell: 'fish', home: { '.config/fish/config.fish': config }, ...options });
  return shell;
};
afterEach(async () => await shell.dispose());

const EVERYDAY: Typed[] = [
  ...known('echo a', 'echo a', ' echo hidden', 'echo a; echo b', 'echo "a;b" | cat', `echo ${'x'.repeat(3990)}`),
  ...known(`echo 'ü 漢字 🙂'`, 'printf "no newline"'),
  { keys: 'false', exit: 1, cmd: 'false' },
  { keys: 'false | true', exit: 0, cmd: 'false | true' },
  { keys: 'sh -c "exit 42"', exit: 42, cmd: 'sh -c "exit 42"' },
  { keys: 'no-such-command-here', exit: 127, cmd: 'no-such-command-here' },
  { keys: 'for i in 1 2\recho $i\rend', exit: 0, cmd: 'for i in 1 2\necho $i\nend' },
];

test.each([
  ['nothing', ''],
  ['vi mode', 'fish_vi_key_bindings'],
  ['a private session', 'set -g fish_private_mode 1'],
  ['a prompt of its own', 'function fish_prompt; echo "$status> "; end; function fish_right_prompt; echo r; end'],
  [
    'events of its own',
    'function pre --on-event fish_preexec; false; end; function post --on-event fish_postexec; false; end',
  ],
  ['the C locale', 'set -gx LC_ALL C'],
  ['functions on our words', 'function base64; echo bad; end; function date; echo bad; end'],
])('tells every command and its text with %s', async (_, config) => {
  await fish(config);
  await expectCards(shell, EVERYDAY);
});

test('says that a leading space keeps a line out of history', async () => {
  await fish();
  await shell.run(' echo a');
  expect(shell.cards.map(({ nohist }) => nohist)).toEqual([true]);
});

test('ends a card before the mark for output without a newline', async () => {
  await fish();
  await shell.run('printf abc');
  expect(shell.cards[0]?.output.endsWith('abc')).toBe(true);
});

test('makes no card for Return, blanks or Ctrl-C at the prompt', async () => {
  await fish();
  await shell.run('');
  await shell.run('   ');
  shell.type('echo half');
  await shell.waitFor(() => shell.text.includes('half'));
  // Ctrl-C is a signal here. fish 3.6 misses it while it draws, and may first read a Return typed right after it and then
  // correctly run the line. So the test presses Ctrl-C repeatedly.
  const { prompts } = shell;
  const presses = setInterval(() => shell.type('\x03'), 200);
  await shell.waitFor(() => shell.text.includes('^C') && shell.prompts > prompts).finally(() => clearInterval(presses));
  await shell.run('');
  await expectCards(shell, known('echo after'));
  expect(shell.cards).toHaveLength(1);
});

test('tells 130 for a command ended by Ctrl-C', async () => {
  await fish();
  shell.type(`sh -c 'echo u""p; exec sleep 100'\r`);
  await shell.waitFor(() => shell.text.includes('up\r\n'));
  const prompts = shell.prompts;
  shell.type('\x03');
  await shell.waitFor(() => shell.prompts > prompts);
  expect(shell.cards.map(({ cmd, exit }) => ({ cmd, exit }))).toEqual([
    { cmd: `sh -c 'echo u""p; exec sleep 100'`, exit: 130 },
  ]);
});

test('counts a paste of several lines as fish runs them, with their text', async () => {
  await fish();
  await expectCards(shell, [{ keys: '\x1b[200~echo one\necho two\x1b[201~', exit: 0, cmd: 'echo one\necho two' }]);
});

test('counts keys typed ahead as one command a line', async () => {
  await fish();
  shell.type('echo one\recho two\rfalse\r');
  await shell.waitFor(() => shell.cards.length === 3 && shell.cards[2]?.exit !== null);
  expect(shell.cards.map(({ cmd, exit }) => `${cmd} ${exit}`)).toEqual(['echo one 0', 'echo two 0', 'false 1']);
});

test('gives the status to the prompt', async () => {
  await fish('function fish_prompt; echo "<$status>"; end');
  await shell.run('sh -c "exit 5"');
  await shell.waitFor(() => shell.text.includes('<5>'));
});

test('tells a folder whose name is no UTF-8, and gives no child the nonce', async () => {
  await fish();
  await shell.run(String.raw`mkdir \xff\xfe';=x' && cd \xff\xfe';=x'`);
  await shell.run('env > ~/env1');
  expect(shell.cards.at(-1)?.cwd).toBe(`${shell.home}/\xff\xfe;=x`);
  const seen = readFileSync(join(shell.home, 'env1'), 'latin1');
  expect(seen).not.toContain(TEST_NONCE);
  expect(seen).not.toContain('HANSARD');
});

test('makes one card of a nested fish and leaves it open at exec', async () => {
  await fish();
  shell.type('fish\r');
  await shell.waitFor(() => shell.cards.length === 1);
  shell.type('echo in"ner"\rexit 3\r');
  await shell.waitFor(() => shell.marks.at(-1)?.name === 'PROMPT');
  shell.type('exec sh -c "exit 6"\r');
  await shell.waitFor(() => shell.exit !== null);
  expect(shell.cards.map(({ cmd, exit }) => `${cmd} ${exit}`)).toEqual(['fish 3', 'exec sh -c "exit 6" null']);
});
