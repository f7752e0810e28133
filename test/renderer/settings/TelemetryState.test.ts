import { expect, test } from 'vitest';
import type { TelemetryStatus } from '../../../src-main/contract/telemetry.ts';
import { strings } from '../../../src-renderer/app/strings.ts';
import { TelemetryState } from '../../../src-renderer/settings/TelemetryState.svelte.ts';
import { fakeRpc } from '../support/fakeRpc.ts';

const words = strings.telemetry;
const OFF: TelemetryStatus = {
  ...{ isOn: false, hasContent: false, url: null, fault: 'No collector is set.', headers: [], sinceMs: null },
  ...{ queue: { turns: 0, bytes: 0, limitBytes: 64 * 1024 ** 2 }, sentSpans: 0, rejectedSpans: 0, droppedTurns: 0 },
  ...{ lastSuccessMs: null, lastError: null, isPaused: false, nextTryMs: null },
};
const ON = { ...OFF, isOn: true, url: 'http://localhost:4318/v1/traces', fault: null };
const WAITING = { turns: 3, bytes: 12_288, limitBytes: 64 * 1024 ** 2 };

function shown(status: TelemetryStatus) {
  const { rpc, calls } = fakeRpc({
    'telemetry.onChange': (listen: (status: TelemetryStatus) => void) => {
      listen(status);
      return () => undefined;
    },
    'telemetry.setHeader': ({ value }: { value: string }) => (value === 'bad' ? 'refused' : null),
  });
  const state = new TelemetryState(rpc.telemetry);
  state.start();
  return { state, calls };
}

test.each<[string, Partial<TelemetryStatus>, string, string]>([
  ['off', { isOn: false }, words.states.off, 'quiet'],
  ['on', {}, words.states.on, 'good'],
  ['on with turns that wait', { queue: WAITING }, words.states.waiting, 'good'],
  ['without a usable endpoint', { fault: 'x', url: null }, words.states.fault, 'bad'],
  ['refused', { isPaused: true }, words.states.paused, 'bad'],
  ['without an answer', { nextTryMs: 5 }, words.states.retrying, 'bad'],
])('telemetry that is %s is shown in words and with a tone', (_, change, text, tone) => {
  expect(shown({ ...ON, ...change }).state.state).toEqual({ text, tone });
});

test('turns that wait while it is off are asked about, until the person keeps them or turns it on', () => {
  expect(shown({ ...ON, queue: WAITING }).state.left).toBe(0);
  const { state } = shown({ ...OFF, queue: WAITING });
  expect(state.left).toBe(3);
  state.isKept = true;
  expect(state.left).toBe(0);
});

test('rows say what was sent, rejected and dropped, and leave out what there is not', () => {
  const { state } = shown({ ...ON, queue: WAITING, sentSpans: 1, rejectedSpans: 2, droppedTurns: 1 });
  const text = (name: string) => state.facts(0).find((fact) => fact.name === name)?.text;
  expect(text(words.queue)).toBe('3 turns, 12 KB of 64 MiB');
  expect(text(words.sent)).toBe('1 span, 2 rejected by the collector, 1 turn dropped');
  expect(text(words.lastError)).toBe('');
});

test('a header that is refused says why, and one that is kept does not', async () => {
  const { state } = shown(ON);
  expect(await state.setHeader('x', 'bad')).toBe(false);
  expect(state.refusal).toBe('refused');
  expect(await state.setHeader('x', 'good')).toBe(true);
  expect(state.refusal).toBe('');
});
