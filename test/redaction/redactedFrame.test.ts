import { expect, test } from 'vitest';
import { redactedFrame } from '../../src-main/redaction/redactedFrame.ts';
import { frameOf, rowOf } from '../support/frames.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const textsOf = (rows: Parameters<typeof frameOf>[0]) => {
  const { frame, count } = redactedFrame(frameOf(rows, { cols: 30 }));
  return { texts: frame.rows.map(({ text }) => text), count };
};

test('a screen without secrets is handed on as it is', () => {
  const frame = frameOf(['$ ls', 'a  b']);
  expect(redactedFrame(frame)).toEqual({ frame, count: 0 });
  expect(redactedFrame(frame).frame).toBe(frame);
});

test('each cell of a secret is a block, and looks stay', () => {
  const spans = [{ text: 'key ' }, { text: TOKEN.slice(0, 10), fg: 1 }, { text: TOKEN.slice(10), bold: true as const }];
  const { frame, count } = redactedFrame(frameOf([rowOf([...spans, { text: ' end' }])]));
  expect(count).toBe(1);
  expect(frame.rows[0]?.spans).toEqual([
    { text: 'key ' },
    { text: '█'.repeat(10), fg: 1 },
    { text: '█'.repeat(30), bold: true },
    { text: ' end' },
  ]);
});

test('one that was wrapped is covered in all its rows', () => {
  const long = `DB_PASSWORD=${'aB3$'.repeat(10)}`;
  const rows = [rowOf(long.slice(0, 30)), rowOf(long.slice(30), true), 'next'];
  expect(textsOf(rows)).toEqual({ texts: [`DB_PASSWORD=${'█'.repeat(18)}`, '█'.repeat(22), 'next'], count: 1 });
});

test('one that a program broke into two rows is covered in both', () => {
  const { texts, count } = textsOf([`  ${TOKEN.slice(0, 20)}`, `  ${TOKEN.slice(20)} ok`]);
  expect([count, texts[0], texts[1]]).toEqual([1, `  ${'█'.repeat(20)}`, expect.stringMatching(/^[ █]{2}█{20} ok$/)]);
});

test('wide characters of a secret keep their two cells', () => {
  expect(textsOf(['{"password": "漢字漢字"} x']).texts).toEqual([`{"password": "${'█'.repeat(8)}"} x`]);
});
