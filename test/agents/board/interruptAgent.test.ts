import { expect, test } from 'vitest';
import { interruptAgent } from '../../../src-main/agents/interruptAgent.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { FakeClock } from '../../support/FakeClock.ts';

/** A working agent that takes the next of `states` each time the screen has caught up. */
function working(states: string[], row = '') {
  const typed: string[] = [];
  const view = { agent: { state: 'working' } };
  const frame = { rows: [{ text: row }] };
  const terminal = {
    ...{ view, agents: { hasTerminal: true }, type: (keys: string) => typed.push(keys) },
    screen: {
      drawn: async () => {
        view.agent.state = states.shift() ?? view.agent.state;
      },
      read: async () => ({ full: true, frame, seq: 1, epoch: 'e' }),
      wait: async () => ({ outcome: 'met', reading: { full: true, frame, seq: 1, epoch: 'e' } }),
    },
  } as unknown as PtyInstance;
  return { typed, interrupt: () => interruptAgent({ terminal, actor: 'user', clock: new FakeClock() }) };
}

test('an Escape does not answer a question that has come before it was sent', async () => {
  const { typed, interrupt } = working(['needs_approval']);
  expect(await interrupt()).toEqual({ ok: false, reason: 'idle' });
  expect(typed).toEqual([]);
});

test('a second Escape, which the screen asked for, does not answer a question either', async () => {
  const { typed, interrupt } = working(['working', 'working', 'needs_approval'], 'esc again to stop');
  expect(await interrupt()).toEqual({ ok: true });
  expect(typed).toEqual(['\x1b']);
});

test('an agent that works gets Escape, and a second one where it asks for it', async () => {
  const { typed, interrupt } = working(['working', 'working', 'working', 'idle'], 'esc again to stop');
  expect(await interrupt()).toEqual({ ok: true });
  expect(typed).toEqual(['\x1b', '\x1b']);
});
