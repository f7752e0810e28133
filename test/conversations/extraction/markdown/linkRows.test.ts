import { expect, test } from 'vitest';
import type { StyledSpan } from '../../../../src-main/contract/block.ts';
import { withLinksWhole } from '../../../../src-main/conversations/extraction/markdown/linkRows.ts';

const rowOf = (...spans: StyledSpan[]) => ({ text: spans.map(({ text }) => text).join(''), spans, wrapped: false });
const href = 'https://example.com/docs';
const link = rowOf({ text: 'see the ' }, { text: 'docs', href }, { text: '   ' });
const isAddress = ({ text, href: own }: StyledSpan) => text === own;

test('an address that was broken off its link stands behind it again, with what ends the sentence', () => {
  const address = rowOf({ text: '(' }, { text: href, href }, { text: '). And more' });
  expect(withLinksWhole([link, address], isAddress)).toEqual([
    rowOf({ text: 'see the ' }, { text: 'docs', href }, { text: ' (' }, { text: href, href }, { text: ').' }),
    rowOf({ text: ' And more' }),
  ]);
});

test('also where the row was broken behind the first bracket', () => {
  const broken = rowOf(
    { text: 'see the ' },
    { text: 'docs', href },
    { text: ' ' },
    { text: '(', underline: true },
    { text: '  ' },
  );
  const address = rowOf({ text: href, href }, { text: ')', underline: true }, { text: '. And more' });
  expect(withLinksWhole([broken, address], isAddress).map(({ text }) => text)).toEqual([
    `see the docs (${href}).`,
    ' And more',
  ]);
});

test('a row that held the address alone is gone', () => {
  expect(withLinksWhole([link, rowOf({ text: '(' }, { text: href, href }, { text: ')' })], isAddress)).toHaveLength(1);
});

test('brackets in which no address is shown as one stay where they are', () => {
  const rows = [link, rowOf({ text: `(${href}) and more` })];
  expect(withLinksWhole(rows, isAddress)).toEqual(rows);
});

test('an address under an empty row belongs to nothing', () => {
  const rows = [rowOf({ text: '' }), rowOf({ text: '(' }, { text: href, href }, { text: ')' })];
  expect(withLinksWhole(rows, isAddress)).toEqual(rows);
});

test('an address that was broken within is whole again, wherever it was broken', () => {
  const until: StyledSpan[] = [
    { text: 'see the ' },
    { text: 'docs', href },
    { text: ' ' },
    { text: '(', underline: true },
  ];
  for (let at = 1; at < href.length; at += 1) {
    const rows = [
      rowOf(...until, { text: href.slice(0, at), href }),
      rowOf({ text: href.slice(at), href }, { text: ')', underline: true }, { text: '. And more' }),
    ];
    const [whole, rest] = withLinksWhole(rows, isAddress);
    expect(whole?.spans).toEqual([...until, { text: href, href }, { text: ')', underline: true }, { text: '.' }]);
    expect(rest?.text).toBe(' And more');
  }
});

test('two links that stand in two rows stay two', () => {
  const rows = [rowOf({ text: 'docs', href }), rowOf({ text: 'docs', href: `${href}/more` })];
  expect(withLinksWhole(rows, isAddress)).toEqual(rows);
});
