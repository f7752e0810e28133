import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand, TestCore } from '../support/TestCore.ts';

let core: TestCore;
beforeEach(async () => {
  core = await TestCore.start();
});
afterEach(() => core.dispose());

const ASK = `old=$(stty -g); stty raw -echo; printf '\\e]11;?\\a'; IFS= read -rsd '\\' reply; stty "$old"; printf '%q\\n' "$reply"`;

test('a program that asks for the background is told the one that the window shows now', async () => {
  const terminal = await core.open();
  const told = async (by = terminal) => {
    const { id } = await runCommand(by, ASK);
    const { lines } = await by.book.reader.lines(id, 0, 10);
    return /rgb:[0-9a-f/]+/.exec(lines.map(({ spans }) => spans.map(({ text }) => text).join('')).join('\n'))?.[0];
  };
  expect(await told()).toBe('rgb:1414/1616/1a1a');
  await core.core.look.shows('light');
  expect(await told()).toBe('rgb:fafa/f8f8/f2f2');
  expect(await told(await core.open())).toBe('rgb:fafa/f8f8/f2f2');
  await core.core.look.shows('dark');
  expect(await told()).toBe('rgb:1414/1616/1a1a');
  await core.core.settings.update({ 'theme.dark': 'dracula' });
  await core.core.look.shows('dark');
  expect(await told()).toBe('rgb:2828/2a2a/3636');
});
