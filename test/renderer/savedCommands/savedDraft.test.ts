import { expect, test } from 'vitest';
import { fitsShell, matchSaved, slashQuery } from '../../../src-renderer/savedCommands/matchSaved.ts';
import { commandOf, draftOf } from '../../../src-renderer/savedCommands/savedDraft.ts';

const COMMAND = {
  name: 'Deploy',
  command: 'deploy {{where}} {{what:all}}',
  description: 'Sends it',
  tags: ['ops', 'release'],
  arguments: [{ name: 'where', description: 'Stage', default: 'test', type: 'text' }, { name: 'what' }],
  shells: ['bash'],
  icon: 'rocket',
};

test('a command that is edited without a change is the same command', () => {
  const { arguments: described, ...same } = COMMAND;
  expect(commandOf(draftOf(COMMAND), COMMAND)).toEqual({ ...same, arguments: described.slice(0, 1) });
});

test('empty fields are left out, and so is what describes no placeholder any more', () => {
  const draft = { ...draftOf(COMMAND), command: ' deploy ', tags: ' , ', description: ' ' };
  expect(commandOf(draft, COMMAND)).toEqual({ name: 'Deploy', command: ' deploy ', shells: ['bash'], icon: 'rocket' });
});

test('only a slash at the start, without a second one, asks for saved commands', () => {
  expect(['/', '/dep', '/dep prod', '/usr/', 'a/', ' /', '/a\nb', ''].map(slashQuery)).toEqual([
    ...['', 'dep', 'dep prod', null],
    ...[null, null, null, null],
  ]);
});

test('every word is looked for everywhere, and names come first', () => {
  const named = (name: string, command: string, tags: string[] = []) => ({ name, command, tags });
  const commands = [named('Clean', 'rm -r deploy'), named('Undo a deploy', 'x'), named('Deploy', 'y', ['prod'])];
  const found = (query: string) => matchSaved(commands, query).map(({ name }) => name);
  expect(found('deploy')).toEqual(['Deploy', 'Undo a deploy', 'Clean']);
  expect(found('PROD dep')).toEqual(['Deploy']);
  expect(found('none')).toEqual([]);
  expect(found('')).toHaveLength(3);
});

test('a command for other shells is left out', () => {
  const at = (shells?: string[]) => fitsShell({ name: 'x', command: 'x', ...(shells && { shells }) }, '/usr/bin/zsh');
  expect([at(), at([]), at(['zsh', 'bash']), at(['Zsh']), at(['fish'])]).toEqual([true, true, true, true, false]);
});
