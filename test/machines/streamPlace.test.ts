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
