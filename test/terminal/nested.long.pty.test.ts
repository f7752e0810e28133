import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PtyInstance } from '../../src-main/terminal/PtyInstance.ts';
import { begin, runCommand, TestCore, until } from '../support/TestCore.ts';

let core: TestCore;
beforeEach(async () => {
  core = await TestCore.start();
});
afterEach(() => core.dispose());

const running = (terminal: PtyInstance) => terminal.book.running;
const nestedIn = async (shell: string, inner: string): Promise<PtyInstance> => {
  const terminal = await core.open(shell);
  await begin(terminal, inner);
  await until(terminal, (one) => running(one)?.nested !== undefined);
  return terminal;
};
const commands = async (terminal: PtyInstance) =>
  (await terminal.book.page({ limit: 20 })).blocks.map(({ cmd, exitCode, trusted }) => ({ cmd, exitCode, trusted }));

describe('a shell within a shell', () => {
  test.each([
    ['bash', 'bash --norc', 'bash'],
    ['bash', 'zsh -f', 'zsh'],
    ['zsh', 'fish --private', 'fish'],
    ['fish', 'dash', 'dash'],
  ])('in %s, `%s` is one card, labelled %s', async (shell, inner, program) => {
    const terminal = await nestedIn(shell, inner);
    expect(running(terminal)).toMatchObject({ cmd: inner, nested: program });
    terminal.type('echo in"ner"; exit\r');
    await until(terminal, ({ view }) => view.atPrompt);
    expect(await commands(terminal)).toMatchObject([{ cmd: inner, exitCode: 0 }]);
  });

  test.each([
    ['bash', 'bash --norc', null],
    ['bash', 'zsh -f', null],
    ['zsh', 'fish --private', 3],
    ['fish', 'bash', null],
  ])('in %s, `%s` gets a card for each command when the hook is loaded into it', async (shell, inner, exitCode) => {
    const terminal = await nestedIn(shell, inner);
    expect(terminal.input.joinNested()).toEqual({ ok: true });
    await until(terminal, ({ view }) => view.atPrompt);
    const block = await runCommand(terminal, 'echo in"ner"');
    expect(block).toMatchObject({ cmd: 'echo in"ner"', exitCode: 0, trusted: true });
    // Only fish reports its own end. For other shells the outer shell reports the end of its command, so the inner exit code is unknown.
    await runCommand(terminal, 'exit 3');
    expect(await commands(terminal)).toEqual([
      { cmd: inner, exitCode: null, trusted: true },
      { cmd: 'echo in"ner"', exitCode: 0, trusted: true },
      { cmd: 'exit 3', exitCode, trusted: true },
    ]);
    const after = await runCommand(terminal, 'echo outer');
    expect(after).toMatchObject({ cmd: 'echo outer', exitCode: 0 });
    expect(readdirSync(join(core.dataFolder, 'run')).filter((name) => name.startsWith('join-'))).toEqual([]);
  });

  test('the nonce reaches neither the record nor the history of the shell that was joined', async () => {
    const terminal = await nestedIn('bash', 'bash --norc');
    terminal.input.joinNested();
    await until(terminal, ({ view }) => view.atPrompt);
    await runCommand(terminal, 'set -o history; history -w hist; cat hist; declare -p | grep -c Zj');
    await runCommand(terminal, 'exit');
    const { id } = terminal;
    const raw = readFileSync(join(core.dataFolder, 'terminals', id, 'output.raw'), 'latin1');
    expect(raw).not.toMatch(/Zj[0-9a-f]{8}/);
    const history = join(core.home, 'hist');
    expect(existsSync(history)).toBe(true);
    expect(readFileSync(history, 'latin1')).not.toMatch(/Zj[0-9a-f]/);
  });

  test('nothing is typed into a program that is no shell at its prompt', async () => {
    const terminal = await core.open();
    expect(terminal.input.joinNested()).toEqual({ ok: false, reason: 'not-nested' });
    await begin(terminal, 'cat');
    await until(terminal, ({ book }) => book.runningId !== null);
    expect(terminal.input.joinNested()).toEqual({ ok: false, reason: 'not-nested' });
    terminal.type('\x04');
    await until(terminal, ({ view }) => view.atPrompt);
  });

  test('a script is no nested shell', async () => {
    writeFileSync(join(core.home, 'script'), 'echo one; sleep 0.6; echo two; sleep 0.6\n');
    const terminal = await core.open();
    const block = await runCommand(terminal, 'bash script');
    expect(block).toMatchObject({ cmd: 'bash script', exitCode: 0 });
    expect(block.nested).toBeUndefined();
  });
});
