import { expect, test } from 'vitest';
import { type ComposerCommand, lineEdit } from '../../../src-renderer/composer/line/composerKeys.ts';
import { Kills } from '../../../src-renderer/composer/line/Kills.ts';

/** Runs the commands in a line with its caret at `|`; returns the text that Ctrl+Y brings back. */
function kill(marked: string, commands: readonly ComposerCommand[], kills = new Kills()): string {
  let [before = '', after = ''] = marked.split('|');
  for (const command of commands) {
    const line = { text: before + after, start: before.length, end: before.length, hasChoices: false };
    kills.take(command, line);
    const { from, to } = lineEdit(command, line) ?? { from: line.start, to: line.start };
    [before, after] = [line.text.slice(0, from), line.text.slice(to)];
  }
  return kills.text;
}

test.each<[string, ComposerCommand[], string]>([
  ['one two three|', ['killWord', 'killWord'], 'two three'],
  ['one |two three', ['killWordRight', 'killWordRight'], 'two three'],
  ['one |two three', ['killToEnd', 'killToStart'], 'one two three'],
  ['one|', ['killWord', 'killToEnd', 'killToStart'], 'one'],
  ['one two|', ['killWord', 'deleteLeft', 'killWord'], 'one'],
])('in %j, %j cut one text', (line, commands, text) => {
  expect(kill(line, commands)).toBe(text);
});

test('a cut in another line begins again', () => {
  const kills = new Kills();
  kill('one two|', ['killWord'], kills);
  expect(kill('three|', ['killWord'], kills)).toBe('three');
});
