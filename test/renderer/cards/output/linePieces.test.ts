import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StyledSpan } from '../../../../src-main/contract/block.ts';
import { splitHidden } from '../../../../src-renderer/app/hiddenChars.ts';
import { commandView } from '../../../../src-renderer/cards/card/commandView.ts';
import { cellRuns } from '../../../../src-renderer/cards/output/cells.ts';
import { linePieces, MAX_DRAWN_CHARS } from '../../../../src-renderer/cards/output/linePieces.ts';

const wild = fc.string({ unit: 'binary', maxLength: 60 });

describe('hidden characters', () => {
  test.each([
    ['\u202egnp.exe', ['U+202E']],
    ['a\u200bb\ufeff', ['U+200B', 'U+FEFF']],
    ['\u2066x\u2069', ['U+2066', 'U+2069']],
    ['soft\u00adhyphen', ['U+00AD']],
    ['\u001b[31m', ['U+001B']],
    ['\u009b31m', ['U+009B']],
    ['tags \u{e0041}\u{e0042}', ['2 hidden tags']],
    ['family 👨‍👩‍👧 and Persian می‌خواهم', []],
    ['flag 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', []],
    ['plain\ttext\nlines', []],
  ])('%j', (text, names) => {
    expect(splitHidden(text).flatMap(({ hidden }) => hidden ?? [])).toEqual(names);
  });

  test('nothing is lost and no part is empty', () => {
    fc.assert(
      fc.property(wild, (text) => {
        const parts = splitHidden(text);
        expect(parts.map((part) => part.text).join('')).toBe(text);
        expect(parts.filter((part) => part.text === '')).toEqual([]);
      }),
    );
  });
});

describe('cells', () => {
  test.each([
    ['plain ──│ text', [['plain ──│ text', 0]]],
    [
      '日本',
      [
        ['日', 2],
        ['本', 2],
      ],
    ],
    [
      'a✓b',
      [
        ['a', 0],
        ['✓', 1],
        ['b', 0],
      ],
    ],
    [
      '👩‍👩‍👧x',
      [
        ['👩‍👩‍👧', 2],
        ['x', 0],
      ],
    ],
    ['🇩🇪', [['🇩🇪', 2]]],
    ['', []],
  ])('%s', (text, runs) => {
    expect(cellRuns(text).map((run) => [run.text, run.box])).toEqual(runs);
  });

  test('the runs joined are the text', () => {
    fc.assert(
      fc.property(wild, (text) => {
        const runs = cellRuns(text).map((run) => run.text);
        expect(runs.join('')).toBe(text);
      }),
    );
  });
});

describe('pieces of a line', () => {
  const span = fc.record<StyledSpan>(
    { text: fc.oneof(wild, fc.webUrl()), fg: fc.nat(255) },
    { requiredKeys: ['text'] },
  );
  const mark = fc.record({ start: fc.nat(40), end: fc.nat(60), isCurrent: fc.boolean() });
  const textOf = (spans: readonly StyledSpan[]) => spans.map(({ text }) => text).join('');

  test('every character is drawn once and in order, or named as hidden, whatever is marked', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 6 }), fc.array(mark, { maxLength: 4 }), (spans, marks) => {
        const { pieces, cutChars } = linePieces({ n: 0, spans }, marks);
        const drawn = pieces.map(({ runs }) => runs.map(({ text }) => text).join('')).join('');
        const visible = splitHidden(textOf(spans)).filter(({ hidden }) => hidden === undefined);
        expect([drawn, cutChars]).toEqual([visible.map(({ text }) => text).join(''), 0]);
      }),
    );
  });

  test('a mark that spans several looks is drawn on each', () => {
    const { pieces } = linePieces(
      {
        n: 0,
        spans: [
          { text: 'abc', fg: 1 },
          { text: 'def', fg: 2 },
        ],
      },
      [{ start: 2, end: 5, isCurrent: true }],
    );
    expect(pieces.map(({ runs, mark: found }) => [runs[0]?.text, found])).toEqual([
      ['ab', undefined],
      ['c', 'current'],
      ['de', 'current'],
      ['f', undefined],
    ]);
  });

  test('an OSC 8 link of another text says that its target is not shown, and a bad scheme is no link', () => {
    const spans = [
      { text: 'here', href: 'https://evil.example/' },
      { text: 'https://a.example/', href: 'https://a.example/' },
      { text: 'js', href: 'javascript:alert(1)' },
    ];
    expect(linePieces({ n: 0, spans }).pieces.map(({ link }) => link)).toEqual([
      { kind: 'url', target: 'https://evil.example/', shown: false },
      { kind: 'url', target: 'https://a.example/', shown: true },
      undefined,
    ]);
  });

  test('a line of a megabyte is cut and says by how much', () => {
    const { pieces, cutChars } = linePieces({ n: 0, spans: [{ text: 'x'.repeat(1_000_000) }] });
    const drawn = pieces.reduce((sum, { runs }) => sum + runs.reduce((chars, { text }) => chars + text.length, 0), 0);
    expect([drawn, cutChars]).toEqual([MAX_DRAWN_CHARS, 1_000_000 - MAX_DRAWN_CHARS]);
  });
});

test.each([
  ['git status', false, { text: 'git status', hiddenLines: 0 }],
  ['cat <<E\na\nE\n', false, { text: 'cat <<E\na', hiddenLines: 1 }],
  ['cat <<E\na\nE\n', true, { text: 'cat <<E\na\nE', hiddenLines: 0 }],
  ['', false, { text: '', hiddenLines: 0 }],
])('the headline of %j', (cmd, isOpen, view) => {
  expect(commandView(cmd, isOpen)).toEqual(view);
});

test('a command without end is drawn in part, and says that there is more', () => {
  const view = commandView('x'.repeat(100_000), false);
  expect([view.text.length, view.hiddenLines]).toEqual([801, 1]);
  expect(commandView('x'.repeat(100_000), true).text.length).toBe(20_001);
});
