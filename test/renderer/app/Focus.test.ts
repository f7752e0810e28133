import { expect, test } from 'vitest';
import { Focus } from '../../../src-renderer/app/Focus.svelte.ts';

test('text goes into the prompt of its own tab, and a tab without one says so', () => {
  const focus = new Focus();
  const did: string[] = [];
  const stop = focus.registerComposer('a', {
    focus: () => did.push('focus'),
    fill: () => undefined,
    putCaret: () => undefined,
    walk: () => undefined,
    selectLine: () => false,
    insert: (text) => did.push(text),
  });
  expect([focus.insertIntoPrompt('a', 'ls'), focus.insertIntoPrompt('b', 'ls')]).toEqual([true, false]);
  stop();
  expect([focus.toComposer('a'), did]).toEqual([false, ['ls', 'focus']]);
});
