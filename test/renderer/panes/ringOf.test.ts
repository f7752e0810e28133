import { expect, test } from 'vitest';
import { ringOf } from '../../../src-renderer/panes/ringOf.ts';

test.each([
  ['waits', 3, { kind: 'asks', words: 'Needs you' }],
  ['running', 2, { kind: 'news', words: '2 unread' }],
  ['rang', 0, { kind: 'news', words: 'News' }],
  ['erred', 0, { kind: 'news', words: 'News' }],
  ['running', 0, null],
  ['idle', 0, null],
] as const)(
  'a pane that is %s with %i unread has the ring %j, and without it once it has the focus',
  (status, unread, ring) => {
    expect(ringOf({ status }, { isActive: false, unread })).toEqual(ring);
    expect(ringOf({ status }, { isActive: true, unread })).toBe(null);
  },
);
