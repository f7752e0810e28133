import { expect, test } from 'vitest';
import type { WaitQuery, WaitResult } from '../../../src-main/contract/screen/screen.ts';
import { Seat } from './Seat.ts';

test('an answer that was sent already is looked for on the whole screen, another one only in new text', async () => {
  const asked: WaitQuery[] = [];
  const wait = async (query: WaitQuery) => {
    asked.push(query);
    return { outcome: 'met', waitedMs: 0 } as WaitResult;
  };
  const screen = { wait, frame: async () => ({ rows: [] }) };
  const seat = new Seat({ type: () => undefined, paste: async () => ({ pasted: true }), screen });
  await seat.says('That is all.', 'the end');
  await seat.says('That is all.', 'the end', true);
  expect(asked.flatMap(({ conditions }) => conditions)).toMatchObject([{ scope: 'new' }, { scope: 'screen' }]);
});
