import { expect, test } from 'vitest';
import { rowsRoomPx } from '../../../src-renderer/terminal/paneMargins.ts';

test.each([
  ['a card above the composer', { hasCard: true, hasComposer: true, textScale: 100 }, 500 - 62 - 35],
  [
    'a card above the composer with text of double size',
    { hasCard: true, hasComposer: true, textScale: 200 },
    500 - 62 - 52,
  ],
  ["a card above the shell's own prompt", { hasCard: true, hasComposer: false, textScale: 200 }, 500 - 62],
  ['the plain terminal', { hasCard: false, hasComposer: false, textScale: 100 }, 500 - 16],
])('%s leaves the rest of the view to the rows', (_, room, px) => {
  expect(rowsRoomPx(500, room)).toBe(px);
});
