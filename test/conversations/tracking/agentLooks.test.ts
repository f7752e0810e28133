import { expect, test } from 'vitest';
import { AgentWatch, type WatchedTerminal } from '../../../src-main/conversations/tracking/AgentWatch.ts';
import { FakeClock } from '../../support/FakeClock.ts';

/** A watch on a terminal with this process, and the times at which it looks at the processes. */
function watched(argv: string[]) {
  const clock = new FakeClock();
  const looksMs: number[] = [];
  const foreground = () => {
    looksMs.push(clock.monotonicMs());
    return [{ pid: 1, argv }];
  };
  const watch = new AgentWatch({
    clock,
    foreground,
    block: () => null,
    place: () => ({ cwd: '/', at: 0 }),
  } as unknown as WatchedTerminal);
  return { clock, looksMs, watch };
}

test('output that comes right after a look has a look of its own, though nothing more is printed', () => {
  const { clock, looksMs, watch } = watched(['bash']);
  watch.look();
  clock.advance(100);
  watch.look();
  watch.look();
  clock.advance(60_000);
  expect(looksMs).toEqual([0, 400]);
});

test('an agent that was found before its command is looked for until the command is known', () => {
  const { clock, looksMs, watch } = watched(['codex']);
  watch.look();
  clock.advance(900);
  expect(looksMs).toEqual([0, 400, 800]);
});

test('a terminal that is closed is looked at no more', async () => {
  const { clock, looksMs, watch } = watched(['bash']);
  watch.look();
  watch.look();
  await watch.close();
  clock.advance(60_000);
  expect(looksMs).toEqual([0]);
});
