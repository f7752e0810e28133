import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FindHit } from '../../../src-main/contract/api.ts';
import { BlockFind } from '../../../src-renderer/cards/list/BlockFind.svelte.ts';
import { BlockFilter } from '../../../src-renderer/cards/output/BlockFilter.svelte.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const hit = (blockId: string, n: number): FindHit => ({ blockId, n, start: 0, end: 2 });

describe('find', () => {
  function setUp(answer: (query: string) => FindHit[]) {
    const asked: unknown[] = [];
    const find = async (input: { query: string }) => {
      asked.push(input);
      return { hits: answer(input.query), truncated: false, error: null };
    };
    return { find: new BlockFind({ find }, 't1'), asked };
  }
  const type = async (find: BlockFind, query: string) => {
    find.query = query;
    find.search();
    await vi.advanceTimersByTimeAsync(120);
  };

  test('asks once when typing pauses, in the scope that it was opened in', async () => {
    const { find, asked } = setUp(() => []);
    find.open('b1');
    for (const query of ['a', 'ab', 'abc']) {
      find.query = query;
      find.search();
    }
    await vi.advanceTimersByTimeAsync(120);
    expect(asked).toEqual([{ terminalId: 't1', blockId: 'b1', query: 'abc', regex: false, limit: 2000 }]);
  });

  test('starts at the newest hit and goes around the ends', async () => {
    const { find } = setUp(() => [hit('b', 2), hit('a', 1), hit('a', 5)]); // newest block first, as from the core
    find.open(null);
    await type(find, 'x');
    expect(find.hits.map(({ blockId, n }) => `${blockId}${n}`)).toEqual(['a1', 'a5', 'b2']);
    const walked = [0, 1, 1, -1, -1].map((by) => {
      if (by !== 0) find.step(by as 1 | -1);
      return find.summary;
    });
    expect(walked).toEqual(['3 of 3', '1 of 3', '2 of 3', '1 of 3', '3 of 3']);
  });

  test('marks the lines of its hits and which of them is meant, and nothing once it is closed', async () => {
    const { find } = setUp(() => [hit('a', 1), hit('a', 5)]);
    find.open(null);
    await type(find, 'x');
    const marks = [1, 5, 6].map((n) => find.marks('a', n).map(({ isCurrent }) => isCurrent));
    find.close();
    expect([marks, find.marks('a', 5)]).toEqual([[[false], [true], []], []]);
  });

  test('an answer to an earlier question is dropped', async () => {
    let answerSlowly: (value: { hits: FindHit[]; truncated: boolean; error: null }) => void = () => undefined;
    const answers = [
      new Promise<{ hits: FindHit[]; truncated: boolean; error: null }>((resolve) => {
        answerSlowly = resolve;
      }),
      Promise.resolve({ hits: [hit('new', 1)], truncated: false, error: null }),
    ];
    const find = new BlockFind({ find: () => answers.shift() ?? Promise.reject(new Error('asked too often')) }, 't1');
    find.open(null);
    await type(find, 'old');
    await type(find, 'new');
    answerSlowly({ hits: [hit('old', 1)], truncated: false, error: null });
    await vi.advanceTimersByTimeAsync(0);
    expect(find.hits.map(({ blockId }) => blockId)).toEqual(['new']);
  });

  test('says what is wrong with a pattern', async () => {
    const find = new BlockFind({ find: async () => ({ hits: [], truncated: false, error: 'no closing )' }) }, 't1');
    find.open(null);
    await type(find, '(');
    expect(find.summary).toBe('no closing )');
  });
});

describe('filter', () => {
  test('tells matches from the lines around them, and where lines were left out', async () => {
    const line = (n: number) => ({ n, spans: [] });
    const filter = new BlockFilter(
      { filter: async () => ({ matches: [4, 9], lines: [3, 4, 5, 8, 9].map(line), truncated: false, error: null }) },
      { terminalId: 't1', blockId: 'b1' },
    );
    filter.pattern = 'x';
    filter.search();
    await vi.advanceTimersByTimeAsync(120);
    expect(filter.lines.map(({ line: { n }, isMatch, gap }) => [n, isMatch, gap])).toEqual([
      [3, false, false],
      [4, true, false],
      [5, false, false],
      [8, false, true],
      [9, true, false],
    ]);
    expect([filter.matchCount, filter.isAnswered]).toEqual([2, true]);
  });

  test('without a pattern everything is shown again, and nothing is asked', async () => {
    let asked = 0;
    const filter = new BlockFilter(
      {
        filter: async () => {
          asked += 1;
          return { matches: [], lines: [], truncated: false, error: null };
        },
      },
      { terminalId: 't1', blockId: 'b1' },
    );
    filter.pattern = 'x';
    filter.search();
    filter.pattern = '';
    filter.search();
    await vi.advanceTimersByTimeAsync(500);
    expect([asked, filter.isAnswered]).toEqual([0, false]);
  });
});
