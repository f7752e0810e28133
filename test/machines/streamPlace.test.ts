import { expect, test } from 'vitest';
import { StreamPlace } from '../../src-main/machines/merge/StreamPlace.ts';

const INPUT = { id: 't', viewerId: 'v' };
const bytes = (offset: unknown, text: string) => ({
  type: 'bytes',
  offset,
  data: Buffer.from(text).toString('base64'),
});

test.each([
  ['nothing', [], undefined],
  ['a state', [{ type: 'state', offset: 7, data: 'longer than seven' }], 7],
  ['bytes behind a state', [{ type: 'state', offset: 7, data: '' }, bytes(7, 'four')], 11],
  ['bytes whose last character is open', [bytes(7, 'a')], 8],
  ['a mark behind bytes', [bytes(7, 'four'), { type: 'mark', offset: 11, kind: 'prompt', blockId: null }], 11],
  ['what a hostile machine makes up', [bytes(7, 'four'), bytes(-1, ''), bytes('9', ''), { type: 'state' }, null], 11],
])('after %s, a stream goes on where it was', (_name, items, from) => {
  const place = new StreamPlace();
  expect(place.inputFrom(INPUT, 'core')).toEqual(INPUT);
  for (const item of items) place.take(item);
  expect(place.inputFrom(INPUT, 'core')).toEqual(from === undefined ? INPUT : { ...INPUT, from });
  expect(place.inputFrom(INPUT, 'core after a restart')).toEqual(INPUT);
});

const MIB = 1024 * 1024;
const chunk = (offset: number, length: number) => bytes(offset, 'x'.repeat(length));
const state = (offset: number) => ({ type: 'state', offset, data: '' });

test('bytes that came already are sent by no core', () => {
  const place = new StreamPlace();
  expect([place.take(state(100)), place.take(chunk(100, 50)), place.take(chunk(160, 1))]).toEqual([null, null, null]);
  expect(place.take(chunk(100, 50))).toBe('backwards');
});

test('a core waits for the acknowledgements of its viewer', () => {
  const place = new StreamPlace();
  place.take(state(0));
  for (let at = 0; at < 32; at += 1) {
    expect(place.take(chunk(at * MIB, MIB))).toBe(null);
    if (at % 4 === 3) place.acked((at + 1) * MIB);
  }
  for (let at = 32; at < 40; at += 1) expect(place.take(chunk(at * MIB, MIB))).toBe(null);
  expect(place.take(chunk(40 * MIB, 1))).toBe('ahead');
});

test('a viewer that fell behind gets a state, and from there all is well', () => {
  const place = new StreamPlace();
  place.take(state(0));
  expect([place.take(chunk(0, MIB)), place.take(state(1_000 * MIB)), place.take(chunk(1_000 * MIB, MIB))]).toEqual([
    null,
    null,
    null,
  ]);
});

test('sizes and marks without end are ahead of every viewer, too', () => {
  const place = new StreamPlace();
  const size = { type: 'resize', cols: 80, rows: 24 };
  place.take(state(0));
  const faults = Array.from({ length: 30_000 }, () => place.take(size));
  expect([faults[0], faults[10_000], faults.at(-1)]).toEqual([null, null, 'ahead']);
});

test('small items are counted from the last one that the viewer has drawn', () => {
  const place = new StreamPlace();
  place.take(state(0));
  for (let n = 0; n < 60_000; n += 1) {
    expect(place.take(chunk(n, 1))).toBe(null);
    if (n % 10_000 === 0) place.acked(n + 1);
  }
  for (let n = 60_000; n < 79_000; n += 1) place.take(chunk(n, 1));
  place.acked(50_000);
  expect(place.take(chunk(79_000, 1))).toBe('ahead');
});
