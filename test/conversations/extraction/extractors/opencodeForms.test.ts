import { expect, test } from 'vitest';
import type { StyledSpan } from '../../../../src-main/contract/block.ts';
import { isOverlayTop } from '../../../../src-main/conversations/extraction/extractors/agents/opencode/rules.ts';
import { opencode } from '../../../../src-main/conversations/extraction/extractors/agents/opencode.ts';

const UNDER = '#040404';
const OVER = '#141414';
const rowOf = (spans: StyledSpan[]) => ({ spans, text: spans.map(({ text }) => text).join(''), wrapped: false });
const gap = (bg: string, count: number): StyledSpan => ({ text: ' '.repeat(count), bg });
const help = (bg: string): StyledSpan[] => [
  gap(bg, 2),
  { text: 'Help', bg, bold: true },
  gap(bg, 43),
  { text: 'esc/enter', bg },
  gap(bg, 2),
];

test.each([
  ['alone in its row', rowOf([gap(UNDER, 24), ...help(OVER), gap(UNDER, 24)]), true],
  [
    'between what it lies over',
    rowOf([{ text: '     ──────', bg: UNDER }, ...help(OVER), { text: '──────', bg: UNDER }]),
    true,
  ],
  ['on the ground of all the rest', rowOf([{ text: '     words', bg: UNDER }, ...help(UNDER), gap(UNDER, 3)]), false],
  ['without a title', rowOf([{ text: '     Press ', bg: UNDER }, { text: 'esc', bg: UNDER }, gap(UNDER, 3)]), false],
])('the title of a view over the conversation is known %s', (_, row, wanted) => {
  expect(isOverlayTop(row)).toBe(wanted);
});

test('the id with which it can go on is whole where a narrow window breaks its line', () => {
  const texts = ['  Session   A talk', '  Continue  opencode -s ses_def1838a6', 'ffeuFQl'];
  const rows = texts.map((text, at) => ({ text, spans: [{ text }], wrapped: at === 2 }));
  const place = { screenTop: 0, cols: 37, altScreen: false, title: '', cursorRow: null };
  expect(opencode.extract({ rows, ...place }).resumeId).toBe('ses_def1838a6ffeuFQl');
});
