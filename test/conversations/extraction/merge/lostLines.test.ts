import { describe, expect, test } from 'vitest';
import { withLost } from '../../../../src-main/conversations/extraction/merge/lostLines.ts';

const list = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `- entry ${from + at} of walnut lantern`).join('\n');

describe('an answer of which lines were taken from the screen', () => {
  test('keeps them where the line that streams goes on', () => {
    const restored = withLost(`${list(1, 9)}\n\nThat`, `${list(1, 6)}\nThat is all`);
    expect(restored).toEqual({ text: `${list(1, 9)}\n\nThat is all` });
  });

  test('keeps them in doubt where it goes on with something else', () => {
    const restored = withLost(list(1, 9), `${list(1, 6)}\n| name | words |`);
    expect(restored?.text).toBe(`${list(1, 9)}\n\n| name | words |`);
    expect(restored?.doubt).toEqual({ reason: 'redrawn', from: list(1, 6).length, to: list(1, 9).length });
  });

  test.each([
    ['one line that is read otherwise', list(1, 9), `${list(1, 8)}\n- other words`],
    ['lines that are drawn further down', list(1, 9), `${list(1, 6)}\n\nSee:\n${list(7, 9)}`],
    ['another answer', list(1, 9), `- another answer\n${list(2, 3)}`],
  ])('is told from %s', (_, known, seen) => {
    expect(withLost(known, seen)).toBeNull();
  });
});
