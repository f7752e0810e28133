import { expect, test } from 'vitest';
import { preparedForDiscard } from '../../../src-main/terminal/input/preparedForDiscard.ts';
import { FakeClock } from '../../support/FakeClock.ts';

const AHEAD = { isEmpty: false, isEntered: false, mayRun: false, edited: 'ahead' } as const;

test('a line that was typed ahead and then runs is not interrupted, although the prompt shows it', async () => {
  const clock = new FakeClock();
  const sent: string[] = [];
  let isAtPrompt = true;
  clock.after(100, () => {
    isAtPrompt = false;
  });
  const prepared = preparedForDiscard({
    ...{ clock, hasTerminal: true, promptedMs: clock.monotonicMs(), line: AHEAD },
    get isAtPrompt() {
      return isAtPrompt;
    },
    onFed: () => ({ dispose: () => undefined }),
    showsText: async () => true,
    send: (keys) => sent.push(keys),
  });
  await Promise.resolve();
  clock.advance(1000);
  expect(await prepared).toBe(true);
  expect(sent).toEqual([]);
});

test('a command behind an older prompt, after a program that took its own keys, waits for nothing', async () => {
  const clock = new FakeClock();
  const promptedMs = clock.monotonicMs();
  clock.advance(250);
  const prepared = preparedForDiscard({
    ...{ clock, hasTerminal: true, promptedMs, isAtPrompt: true, line: AHEAD },
    onFed: () => ({ dispose: () => undefined }),
    showsText: async () => false,
    send: (keys) => expect.fail(`sent ${JSON.stringify(keys)}`),
  });
  expect(await prepared).toBe(true);
});
