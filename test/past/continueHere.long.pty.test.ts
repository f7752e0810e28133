import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { soon } from '../support/soon.ts';
import { runCommand, until } from '../support/TestCore.ts';
import { CutOffAgent, RESUME, SESSION } from './support/CutOffAgent.ts';

let agent: CutOffAgent;
beforeEach(() => {
  agent = new CutOffAgent();
});
afterEach(() => agent.dispose());

const press = () => agent.past.continueHere(agent.terminal.id);
const offer = async () => (await agent.past.continuing.lastIn(agent.terminal.id))?.command ?? null;
const resumed = () => [`${agent.cwd}|--resume ${SESSION}`];
const screenText = async () => (await agent.terminal.screen.frame()).rows.map((row) => row.text).join('\n');

describe.each(['plain', 'with space', 'it\'s $HOME `x` "y"', 'naïve 日本', '-rf'])('in the folder "%s"', (folder) => {
  test('the conversation continues in that folder, once, although it is asked for twice at once', async () => {
    await agent.cutOff({ folder });
    expect(await Promise.all([press(), press(), press()])).toContain(true);
    await soon(() => agent.starts()).toEqual(resumed());
    expect(await press()).toBe(false);
    expect(agent.terminal.book.running?.cmd).toBe(RESUME);
    expect(agent.terminal.book.running?.actor).toBe('user');
    agent.terminal.type('\x03');
    await until(agent.terminal, ({ view, book }) => view.atPrompt && book.runningId === null);
    expect(agent.starts()).toEqual(resumed());
    expect(await offer()).toBeNull();
  });
});

test.each(['zsh', 'fish'])('%s continues it too', async (shell) => {
  await agent.cutOff({ shell });
  expect(await press()).toBe(true);
  await soon(() => agent.starts()).toEqual(resumed());
});

test.each(['bash', 'zsh', 'fish'])(
  'half a line at the prompt of %s stays as it is, and so does the offer',
  async (shell) => {
    await agent.cutOff({ shell });
    await agent.atPrompt();
    agent.terminal.type('echo half');
    await soon(screenText).toContain('echo half');
    await expect(press()).rejects.toThrow(/text at its prompt/);
    expect(agent.starts()).toEqual([]);
    agent.terminal.type(' and whole\r');
    await soon(screenText).toContain('\nhalf and whole');
    await agent.atPrompt();
    expect(await offer()).toBe(RESUME);
    expect(await press()).toBe(true);
    await soon(() => agent.starts()).toEqual(resumed());
  },
);

test('a program that runs there gets nothing, now or when it has ended', async () => {
  await agent.cutOff();
  await agent.atPrompt();
  await agent.terminal.submit('cat; echo over');
  await until(agent.terminal, ({ book }) => book.runningId !== null);
  await expect(press()).rejects.toThrow(/a program runs there/);
  agent.terminal.type('\x04');
  await until(agent.terminal, ({ view, book }) => view.atPrompt && book.runningId === null);
  expect(await screenText()).not.toContain('--resume');
  expect(agent.starts()).toEqual([]);
  expect(await offer()).toBe(RESUME);
});

test('a terminal in another folder runs nothing, and says which one is meant', async () => {
  await agent.cutOff();
  await runCommand(agent.terminal, 'cd /');
  await expect(press()).rejects.toThrow(`This terminal is in /, and the conversation began in ${agent.cwd}`);
  expect(agent.starts()).toEqual([]);
  await runCommand(agent.terminal, `cd '${agent.cwd}'`);
  expect(await press()).toBe(true);
  await soon(() => agent.starts()).toEqual(resumed());
});

test('a folder that was renamed is named, and nothing runs elsewhere', async () => {
  await agent.cutOff({}, () => renameSync(agent.cwd, `${agent.cwd}-2`));
  await agent.atPrompt();
  await expect(press()).rejects.toThrow(`Its folder ${agent.cwd} is gone`);
  const dividers = await agent.terminal.book.dividers.all();
  expect(dividers.at(-1)?.text).toBe(`a new shell in ${agent.home}, because ${agent.cwd} is gone`);
  expect(await screenText()).not.toContain('--resume');
  rmSync(`${agent.cwd}-2`, { recursive: true });
});

test('an agent that another program followed before the restart is not continued', async () => {
  await agent.cutOff({ after: 'sleep 50' });
  await agent.atPrompt();
  expect(await offer()).toBeNull();
  expect(await press()).toBe(false);
});

test('a conversation that was resumed, and cut off before its first prompt, is resumed again', async () => {
  await agent.cutOff({ hasPrompt: false, started: RESUME });
  expect(await offer()).toBe(RESUME);
  expect(await press()).toBe(true);
  await soon(() => agent.starts()).toEqual(resumed());
});

test('a dismissed conversation is not offered again, also after another restart and by a core that was never asked', async () => {
  await agent.cutOff();
  await agent.past.continuing.dismiss(agent.terminal.id);
  expect(await offer()).toBeNull();
  await agent.stop();
  await agent.restart();
  expect(await offer()).toBeNull();
  expect(await press()).toBe(false);
});

test.each(['bash', 'zsh', 'fish'])('an agent that %s does not find is named, and offered again', async (shell) => {
  const claude = join(agent.home, 'bin/claude');
  await agent.cutOff({ shell }, () => renameSync(claude, `${claude}-2`));
  await expect(press()).rejects.toThrow(/could not start claude, exit code 127/);
  expect(await offer()).toBe(RESUME);
  await agent.stop();
  await agent.restart();
  expect(await offer()).toBe(RESUME);
  renameSync(`${claude}-2`, claude);
  await agent.atPrompt();
  expect(await press()).toBe(true);
  await soon(() => agent.starts()).toEqual(resumed());
});

test('a terminal that is closed meanwhile refuses in words', async () => {
  await agent.cutOff();
  const { id } = agent.terminal;
  await agent.past.continuing.lastIn(id);
  await agent.core.close(id, true);
  await expect(agent.past.continueHere(id)).rejects.toThrow('The terminal was closed');
});

describe('"always"', () => {
  test('continues it at the start of the core', async () => {
    await agent.cutOff({ setting: 'always' });
    await soon(() => agent.starts()).toEqual(resumed());
  });

  test('types nothing into a question of the shell’s own start, and says so', { timeout: 60_000 }, async () => {
    const answer = join(agent.home, 'answer');
    await agent.cutOff({ setting: 'always' }, () =>
      agent.write('.bashrc', `read -p 'Update now? ' reply; echo "$reply" > '${answer}'\n`),
    );
    await soon(screenText).toContain('Update now?');
    await soon(() => agent.core.notices.current.map(({ text }) => text).join('\n')).toContain('at no prompt');
    expect(existsSync(answer)).toBe(false);
    expect(await screenText()).not.toContain('claude');
  });

  test('runs nothing in a folder that is not the conversation’s, and says so', async () => {
    await agent.cutOff({ setting: 'always' }, () => renameSync(agent.cwd, `${agent.cwd}-2`));
    await soon(() => agent.core.notices.current.map(({ text }) => text).join('\n')).toContain('is gone');
    await agent.atPrompt();
    expect(agent.starts()).toEqual([]);
  });
});
