import { expect, test } from 'vitest';
import { preparedForDiscard } from '../../../src-main/terminal/input/preparedForDiscard.ts';
import { FakeClock } from '../../support/FakeClock.ts';

test('a line that was typed ahead and then runs is not interrupted, although the prompt shows it', async () => {
  const clock = new FakeClock();
  const sent: string[] = [];
  let isAtPrompt = true;
  clock.after(100, () => {
    isAtPrompt = false;
  });
  const prepared = preparedForDiscard({
    ...{ clock, hasTerminal: true, line: { isEmpty: false, isEntered: false, mayRun: false, edited: 'ahead' } },
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
