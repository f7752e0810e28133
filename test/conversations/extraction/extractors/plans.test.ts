import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { IExtractor } from '../../../../src-main/contract/chat/extractor.ts';
import type { FrameRow } from '../../../../src-main/contract/screen/frame.ts';
import { codex } from '../../../../src-main/conversations/extraction/extractors/agents/codex.ts';
import { opencode } from '../../../../src-main/conversations/extraction/extractors/agents/opencode.ts';
import { plainSnapshot } from '../../../support/snapshots.ts';

const FOOT = ['', '', '› Ask Codex to do anything', '', '  gpt-5 default · /tmp/project'];

function planOn(
  extractor: IExtractor,
  rows: readonly FrameRow[],
  { cols = 100, seams = [] }: { cols?: number; seams?: number[] } = {},
): string[] | null {
  const { plan } = extractor.extract({ ...plainSnapshot('', cols), rows, seams, altScreen: true });
  return plan
    ? [
        ...(plan.isCut ? ['cut'] : []),
        ...plan.items.map(({ text, state }) => `${state} ${text}`),
        ...(plan.isPart ? ['…'] : []),
      ]
    : null;
}

/** Rows from lines; `*` before a line makes it bold, `_` makes it italic. */
function rowsOf(lines: readonly string[]): FrameRow[] {
  return plainSnapshot(lines.map((line) => line.replace(/^[*_]/, '')).join('\n')).rows.map((row, at) => {
    const mark = lines[at]?.[0];
    const look = { ...(mark === '*' && { bold: true as const }), ...(mark === '_' && { italic: true as const }) };
    return { ...row, spans: row.spans.map((span) => ({ ...span, ...look })) };
  });
}

describe('the plan on Codex’s screen', () => {
  test.each<[string, string[], string[] | null]>([
    ['is absent where none is drawn', ['• I have a plan: □ one', ''], null],
    [
      'has a remark above it, wrapped items, and a bold one that it is at',
      [
        '• Updated Plan',
        '  └ I’ll add retries when the backend is',
        '    unreachable.',
        '    ✔ Investigate existing error',
        '      paths',
        '*    □ Harden the client',
        '    □ Add tests',
      ],
      ['done Investigate existing error paths', 'active Harden the client', 'open Add tests'],
    ],
    [
      'is the last of two',
      ['• Updated Plan', '  └ □ one', '', '• Now the second.', '', '• Updated Plan', '  └ ✔ one', '    □ two'],
      ['done one', 'open two'],
    ],
    [
      'is right to left as it is drawn',
      ['• Updated Plan', '  └ □ לבדוק את הקובץ', '    ✔ قراءة الملف'],
      ['open לבדוק את הקובץ', 'done قراءة الملف'],
    ],
    [
      'is empty after it was cleared',
      ['• Updated Plan', '  └ □ one', '', '• Updated Plan', '  └ (no steps provided)'],
      [],
    ],
    [
      'has the items below a step without words, and below blank rows of a step or of the remark',
      ['• Updated Plan', '  └ why', '', '    because', '    □', '    ✔ one', '', '      more of one', '    □ two'],
      ['open ', 'done one more of one', 'open two'],
    ],
    ['does not have a box of the remark', ['• Updated Plan', '_  └ ✔ is done, □ is not', '    □ one'], ['open one']],
    [
      'is whole with 250 items',
      ['• Updated Plan', '  └ □ 0', ...Array.from({ length: 249 }, (_, at) => `    □ ${at + 1}`)],
      Array.from({ length: 250 }, (_, at) => `open ${at}`),
    ],
  ])('%s', (_, lines, expected) => {
    expect(planOn(codex, rowsOf([...lines, ...FOOT]))).toEqual(expected);
  });

  test.each([
    [
      '    □ 設定ファイルを読んで、壊れている場所',
      '      を見つけて直す',
      '設定ファイルを読んで、壊れている場所を見つけて直す',
    ],
    [
      '    □ src/very/long/path/to/a/folder/that',
      '      /never/ends.ts',
      'src/very/long/path/to/a/folder/that/never/ends.ts',
    ],
    [
      '    □ Ship 🚢 the boats 🛶 and the lanterns',
      '      🏮 to the pier',
      'Ship 🚢 the boats 🛶 and the lanterns 🏮 to the pier',
    ],
  ])('has the text of an item whole that 40 columns break: %s', (first, second, text) => {
    const lines = ['• Updated Plan', '  └ why', first, second, '    □ next'];
    expect(planOn(codex, rowsOf([...lines, ...FOOT]), { cols: 40 })).toEqual([`open ${text}`, 'open next']);
  });
});

describe('a plan that is not whole on Codex’s screen', () => {
  const end = ['      of a step above', '    ✔ two', '*    □ three', '', '• Next.'];

  test('is the end of one whose head has scrolled away', () => {
    expect(planOn(codex, rowsOf([...end, ...FOOT]))).toEqual(['cut', 'done two', 'active three']);
  });

  test('is the end of one below a join of screens, not the earlier one above it', () => {
    const before = ['• Updated Plan', '  └ □ one', '', '• Working on it.', ''];
    const rows = rowsOf([...before, ...end, ...FOOT]);
    expect(planOn(codex, rows, { seams: [before.length] })).toEqual(['cut', 'done two', 'active three']);
    expect(planOn(codex, rows)).toEqual(['open one']);
  });

  test('is a part where screens were joined within it', () => {
    const rows = rowsOf(['• Updated Plan', '  └ □ one', '    □ two', '    □ three', ...FOOT]);
    expect(planOn(codex, rows, { seams: [2] })).toEqual(['open one', 'open two', 'open three', '…']);
    expect(planOn(codex, rows, { seams: [4] })).toEqual(['open one', 'open two', 'open three']);
  });
});

describe('the list on OpenCode’s screen', () => {
  const rows = JSON.parse(
    readFileSync(new URL('../../../fixtures/agents/plans/opencode-1.18.33.json', import.meta.url), 'utf8'),
  ) as FrameRow[];

  test('is the newest of two, as 1.18.33 draws it', () => {
    expect(planOn(opencode, rows)).toEqual(['done Read the file', 'active Change the file', 'open Run the tests']);
  });

  test('is the older one where only that is whole, with a wrapped item', () => {
    const second = rows.findLastIndex(({ text }) => text.includes('# Todos'));
    const box = rows.findLastIndex(({ text }) => text.includes('▣'));
    expect(planOn(opencode, [...rows.slice(0, second - 1), ...rows.slice(box)])).toEqual([
      'active Read the file',
      'open Change the file so that it says something else, which is a long step that has to be wrapped by every screen',
      'open Run the tests',
    ]);
  });

  test('has the text of an item whole that 40 columns break', () => {
    const drawn = ['', '# Todos', '', '[•] 設定ファイルを読んで、壊れてい', '    る場所を見つけて直す', '[ ] next', ''];
    const block = rowsOf(drawn.map((line) => `  ┃  ${line}`)).map((row) => ({ ...row, spans: rows[1]?.spans ?? [] }));
    const box = rows.findLastIndex(({ text }) => text.includes('▣'));
    expect(planOn(opencode, [...block, ...rows.slice(box - 1)], { cols: 40 })).toEqual([
      'active 設定ファイルを読んで、壊れている場所を見つけて直す',
      'open next',
    ]);
  });

  test('is only the end of a list whose head has scrolled away', () => {
    const first = rows.findIndex(({ text }) => text.includes('[•] Read'));
    const second = rows.findLastIndex(({ text }) => text.includes('# Todos'));
    const box = rows.findLastIndex(({ text }) => text.includes('▣'));
    expect(planOn(opencode, [...rows.slice(first, second - 1), ...rows.slice(box)])).toEqual([
      'cut',
      'active Read the file',
      'open Change the file so that it says something else, which is a long step that has to be wrapped by every screen',
      'open Run the tests',
    ]);
  });
});
