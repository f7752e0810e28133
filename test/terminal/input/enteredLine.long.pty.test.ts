import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { begin, runCommand, TestCore, until } from '../../support/TestCore.ts';

const LEFT = '\x1b[D';
const UP = '\x1b[A';

let core: TestCore;
beforeAll(async () => {
  core = await TestCore.start();
});
afterAll(() => core.dispose());

test.each(['bash', 'zsh'])('in %s, keys with arrows that were typed ahead do not join a command', async (shell) => {
  const terminal = await core.open(shell);
  await begin(terminal, 'sleep 0.5');
  await until(terminal, ({ book }) => book.runningId !== null);
  terminal.type('echo half');
  terminal.type(`${LEFT}${LEFT}`);
  await until(terminal, ({ book, view }) => book.runningId === null && view.atPrompt);
  expect(await runCommand(terminal, 'echo whole')).toMatchObject({ cmd: 'echo whole' });
});

test.each([
  ['Return and another key', `${UP}${UP}`, '\r', 'x'],
  ['Ctrl-O', 'echo mine', '\x0f', ''],
])('a command entered by %s is not interrupted before the shell reports it', async (_, line, enter, more) => {
  const terminal = await core.open('zsh');
  await runCommand(terminal, 'echo mine');
  await runCommand(terminal, 'preexec() { echo STARTS; sleep 1 }');
  const { lastSeq } = terminal.book;
  terminal.type(line);
  await shows(terminal, /# echo mine$/, 2);
  terminal.type(enter);
  await shows(terminal, /^STARTS$/);
  terminal.type(more);
  expect(await terminal.submit('echo whole')).toEqual({ ok: false, reason: 'unfinished' });
  expect(await endOfNext(terminal, lastSeq)).toMatchObject({ cmd: 'echo mine', exitCode: 0 });
});

test('the editor of a line gets no keys of a command', async () => {
  core.write('editor', 'echo EDITING; cat');
  const terminal = await core.open('bash');
  await runCommand(terminal, `export VISUAL='sh ${core.home}/editor'`);
  terminal.type('echo half');
  terminal.type('\x18\x05');
  await shows(terminal, /^EDITING$/);
  expect(await terminal.submit('echo whole')).toEqual({ ok: false, reason: 'unfinished' });
  terminal.type('mine\r');
  await shows(terminal, /^mine$/, 2);
});

test.each([
  ['bash', 'do echo $i; done'],
  ['zsh', 'do echo $i; done'],
  ['fish', 'echo $i; end'],
])('in %s, a command goes on where the shell asks for its rest', async (shell, rest) => {
  const terminal = await core.open(shell);
  const { lastSeq } = terminal.book;
  terminal.type('for i in 1 2\r');
  await begin(terminal, rest);
  expect(await endOfNext(terminal, lastSeq)).toMatchObject({ cmd: `for i in 1 2\n${rest}`, outputLines: 2 });
});

/** The block after this one, once it has ended. */
async function endOfNext(terminal: PtyInstance, seq: number) {
  await until(terminal, ({ book }) => book.lastSeq > seq && book.runningId === null);
  const { blocks } = await terminal.book.page({ limit: 20 });
  return blocks.find((block) => block.seq > seq);
}

function shows(terminal: PtyInstance, row: RegExp, times = 1): Promise<void> {
  return expect
    .poll(async () => (await terminal.screen.frame()).rows.filter(({ text }) => row.test(text.trimEnd())).length)
    .toBeGreaterThanOrEqual(times);
}
