import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withLost } from '../../../../src-main/conversations/extraction/merge/lostLines.ts';
import { spliced, wordEnds } from '../../../../src-main/conversations/extraction/merge/plainWords.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';

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

  test('keeps one kind of marks where its last line was read otherwise before', () => {
    const known = `${list(1, 9)}\n\n## Walnut lantern`;
    const restored = withLost(known, `${list(1, 6)}\n**Walnut lantern saddle**\n\nThat is all`);
    expect(restored).toEqual({ text: `${known} saddle\n\nThat is all` });
  });

  test.each([
    ['one line that is read otherwise', list(1, 9), `${list(1, 8)}\n- other words`],
    ['lines that are drawn further down', list(1, 9), `${list(1, 6)}\n\nSee:\n${list(7, 9)}`],
    [
      'a line above the last that was drawn to its end later',
      `${list(1, 1)}\n- entry 2\n${list(3, 4)}\n- entry`,
      `${list(1, 4)}\n- entry`,
    ],
    ['another answer', list(1, 9), `- another answer\n${list(2, 3)}`],
  ])('is told from %s', (_, known, seen) => {
    expect(withLost(known, seen)).toBeNull();
  });
});

test('two readings of one line that marked up its words otherwise are put together without a mark that stands alone (law)', () => {
  const marks = fc.constantFrom('', '**', '*', '`', '~~', '_');
  const texts = fc.record({
    count: fc.integer({ min: 2, max: 6 }),
    cut: fc.integer({ min: 1, max: 6 }),
    own: marks,
    other: marks,
  });
  fc.assert(
    fc.property(texts, ({ count, cut, own, other }) => {
      const words = Array.from({ length: count }, (_, at) => `word${at}`);
      const to = Math.min(cut, count);
      const head = `above\n\n${own}${words.slice(0, to).join(' ')}${own}`;
      const tail = `${other}${words.join(' ')}${other}\n\nbelow`;
      const joint = wordEnds(tail).ends[words.slice(0, to).join('').length - 1] ?? 0;
      const text = spliced(head, wordEnds(head).ends.at(-1) ?? 0, tail, joint);
      expect(text.replaceAll(/[*`~_]/g, '')).toBe(`above\n\n${words.join(' ')}\n\nbelow`);
      for (const mark of ['**', '~~', '`', '_']) expect((text.split(mark).length - 1) % 2, text).toBe(0);
    }),
    fuzzRuns(300),
  );
});
