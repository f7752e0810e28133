import { afterEach, describe, expect, test } from 'vitest';
import { RealShell } from '../support/RealShell.ts';
import { BLE_ATTACH, BLE_STAND_IN } from './bleStandIn.ts';
import { expectCards, known } from './commandLaw.ts';

let shell: RealShell;
const withBle = async (attach: string, { before = '', after = '' } = {}) => {
  shell = await RealShell.start({
    shell: 'bash',
    home: { '.ble.sh': BLE_STAND_IN, '.bashrc': `${before}\nsource ~/.ble.sh\n${after}\n${attach}` },
  });
  return shell;
};
afterEach(async () => await shell.dispose());

const degraded = () => Buffer.from(shell.marks.at(-1)?.fields.degraded ?? '', 'base64').toString();

describe.each(Object.entries(BLE_ATTACH))('bash with ble.sh, attached %s', (_, attach) => {
  test('has a card for each command, with its text, its status and its output alone', async () => {
    await withBle(attach);
    await expectCards(shell, [
      ...known('echo one', 'printf tail', "echo 'a;b' | cat", 'sleep 0.01 &', 'true', ' echo hidden'),
      { keys: 'false', cmd: 'false', exit: 1 },
      { keys: '(exit 7)', cmd: '(exit 7)', exit: 7 },
      { keys: `echo '${'ü'.repeat(300)}'`, cmd: `echo '${'ü'.repeat(300)}'`, exit: 0 },
    ]);
    const outputs = shell.cards.map(({ output }) => output);
    expect(outputs.slice(0, 3)).toEqual(['one\r\n', 'tail', 'a;b\r\n']);
    expect(outputs[3]).toMatch(/^\[1\] \d+\r\n$/);
    expect(outputs.slice(4, 8)).toEqual(['', 'hidden\r\n', '', '']);
    expect(degraded()).toBe('');
    expect(shell.text).toContain('[ble: EOF]');
  });

  test('has no card for Return, blanks and Ctrl-C', async () => {
    await withBle(attach);
    await shell.run('');
    await shell.run('  ');
    const prompts = shell.prompts;
    shell.type('echo half');
    await shell.waitFor(() => shell.text.includes('echo half'));
    shell.type('\x03');
    await shell.waitFor(() => shell.prompts > prompts);
    await expectCards(shell, known('echo after'));
    expect(shell.cards).toHaveLength(1);
  });

  test("keeps the person's own prompt code, PS0 and traps", async () => {
    await withBle(attach, {
      before: `PROMPT_COMMAND='n=$((n+1)) last=$?'; PS0='<ps0>'; PS1='<$last> '`,
    });
    await expectCards(shell, [{ keys: '(exit 4)', cmd: '(exit 4)', exit: 4 }, ...known('echo "$n"')]);
    expect(shell.text).toContain('<4> ');
    expect(shell.cards.map(({ output }) => output)[0]).toBe('<ps0>');
  });

  test('goes on with readline when ble.sh is detached, and back', async () => {
    await withBle(attach);
    await expectCards(shell, known('echo one'));
    await shell.run('ble-detach');
    await expectCards(shell, known('echo two'));
    await shell.run('ble-attach');
    await expectCards(shell, known('echo three', 'echo four'));
    const exits = shell.cards.map(({ cmd, exit }) => `${cmd} ${exit}`);
    expect(exits).toEqual(['echo one 0', 'ble-detach 0', 'echo two 0', exits[3], 'echo three 0', 'echo four 0']);
    expect(exits[3]).toMatch(/^ble-attach (0|null)$/);
  });
});

test('bash has exact cards from the prompt on at which ble.sh is read by hand', async () => {
  shell = await RealShell.start({ shell: 'bash', home: { '.ble.sh': BLE_STAND_IN } });
  await expectCards(shell, known('source ~/.ble.sh', 'echo plain'));
  await shell.run('ble-attach');
  await expectCards(shell, known('echo one', 'printf tail'));
  expect(shell.cards.at(-1)?.output).toBe('tail');
});

test.each([
  ['ble.sh without blehook', 'unset -f blehook', 'ble.sh 0.4.0-devel4 has no blehook: update ble.sh to 0.4 or later'],
  [
    'ble.sh whose end-of-line mark is printed by another function',
    'eval "$(declare -f ble-edit/exec/.adjust-eol | sed 1s/adjust/correct/)"; unset -f ble-edit/exec/.adjust-eol',
    'ble.sh 0.4.0-devel4 ends commands in a way not known here: its end-of-line mark may stand in their output',
  ],
])('bash says that command detection is degraded with %s', async (_, after, reason) => {
  await withBle('ble-attach', { after });
  await shell.run('true');
  expect(degraded()).toBe(reason);
});
