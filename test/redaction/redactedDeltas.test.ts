import { expect, test } from 'vitest';
import { foldDeltas } from '../../src-main/contract/screen/foldDelta.ts';
import type { ScreenDelta } from '../../src-main/contract/screen/screenRecord.ts';
import { redactedDeltas } from '../../src-main/redaction/redactedDeltas.ts';
import { deltaOf, keyframeOf } from '../../src-main/screen/frames/frameDelta.ts';
import { frameOf, rowOf } from '../support/frames.ts';

const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
const COLS = 30;

/** The deltas of the frames, as in screen.jsonl. */
function deltasOf(...frames: ReturnType<typeof frameOf>[]): ScreenDelta[] {
  return frames.map((frame, at) => {
    const stamp = { epoch: 'e', ts: at };
    const before = frames[at - 1];
    return before ? deltaOf(before, frame, stamp) : keyframeOf(frame, stamp);
  });
}

const frame = (seq: number, ...rows: Parameters<typeof frameOf>[0]) => frameOf(rows, { seq, cols: COLS, rowsCount: 3 });
const whole = [rowOf(`x ${TOKEN.slice(0, 28)}`), rowOf(TOKEN.slice(28), true)];
const DELTAS = deltasOf(
  frame(1, 'a', '', ''),
  frame(2, 'a', whole[0] ?? '', ''),
  frame(3, 'a', ...whole),
  frame(4, ...whole, 'b'),
  frame(5, whole[1] ?? '', 'b', 'c'),
);

test('each row is looked at in the screen that it belongs to', () => {
  const { rows, redactions } = redactedDeltas(DELTAS, null);
  expect(rows).toEqual([['a'], ['x ghp_a1B2c3D4e5F6g7H8i9J0k1L2'], ['[redacted]'], ['b'], ['c']]);
  expect(redactions).toBe(1);
});

test.each([1, 2, 3, 4])('also on a page that begins with delta %i', (first) => {
  const { rows } = redactedDeltas(DELTAS.slice(first), foldDeltas(DELTAS.slice(0, first)));
  expect(rows).toEqual(redactedDeltas(DELTAS, null).rows.slice(first));
});
