import { expect, test } from 'vitest';
import type { Block } from '../../../src-main/contract/block.ts';
import { firstWord, GhostText } from '../../../src-renderer/composer/GhostText.svelte.ts';
import { TerminalState } from '../../../src-renderer/tabs/TerminalState.svelte.ts';
import { fakeRpc, terminalView } from '../support/fakeRpc.ts';

function setUp(nearest: (input: { prefix: string }) => unknown) {
  const terminal = new TerminalState(terminalView({ id: 'a', cwd: '/src/quay' }));
  const { rpc, calls } = fakeRpc({ 'history.nearest': nearest });
  const ghost = new GhostText(rpc, terminal, () => '/src');
  const type = (draft: string) => {
    terminal.draft = draft;
    return ghost.typed();
  };
  return { terminal, ghost, type, calls };
}

test('the rest of the nearest command is shown, and asked for again only when it no longer fits', async () => {
  const { ghost, type, calls } = setUp(({ prefix }) => (prefix === 'git x' ? null : 'git status'));
  await type('g');
  expect([ghost.rest, calls]).toEqual([
    'it status',
    [['history.nearest', { prefix: 'g', cwd: '/src/quay', project: '/src' }]],
  ]);
  await type('git s');
  expect([ghost.rest, calls.length]).toEqual(['tatus', 1]);
  await type('git x');
  expect([ghost.rest, calls.length]).toEqual(['', 2]);
});

test('an answer that is too late, an error and a line for a program show nothing', async () => {
  const answers = new Map<string, PromiseWithResolvers<string>>();
  const { terminal, ghost, type } = setUp(({ prefix }) => {
    const answer = Promise.withResolvers<string>();
    answers.set(prefix, answer);
    return answer.promise;
  });
  const typed = [type('g'), type('ge')];
  await expect.poll(() => answers.size).toBe(2);
  answers.get('ge')?.resolve('gem list');
  answers.get('g')?.resolve('get');
  await Promise.all(typed);
  expect(ghost.rest).toBe('m list');
  const failed = type('x');
  await expect.poll(() => answers.size).toBe(3);
  answers.get('x')?.reject(new Error('closed'));
  await failed;
  expect(ghost.rest).toBe('');
  terminal.view = { ...terminal.view, runningBlockId: 'b' };
  terminal.lastBlock = { id: 'b', actor: 'user' } as Block;
  await type('y');
  expect(answers.size).toBe(3);
});

test('a word of it comes with the space before it', () => {
  expect([firstWord(' checkout main'), firstWord('tatus -s'), firstWord(' ')]).toEqual([' checkout', 'tatus', ' ']);
});
