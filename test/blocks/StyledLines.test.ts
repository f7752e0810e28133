import { expect, test } from 'vitest';
import { StyledLines } from '../../src-main/blocks/StyledLines.ts';
import { feedStyled, plain } from './feedText.ts';

const spans = (raw: string) => feedStyled([Buffer.from(raw)])[0]?.spans;

test.each([
  ['\x1b[31mred\x1b[39m not', [{ text: 'red', fg: 1 }, { text: ' not' }]],
  [
    '\x1b[1;2;3;4;7;9mall\x1b[22;23;24;27;29m none',
    [
      { text: 'all', bold: true, dim: true, italic: true, underline: true, inverse: true, strike: true },
      { text: ' none' },
    ],
  ],
  ['\x1b[91;102mbright', [{ text: 'bright', fg: 9, bg: 10 }]],
  ['\x1b[38;5;200;48;5;17mx', [{ text: 'x', fg: 200, bg: 17 }]],
  [
    '\x1b[38;2;255;0;1mx\x1b[48:2::1:2:3my',
    [
      { text: 'x', fg: '#ff0001' },
      { text: 'y', fg: '#ff0001', bg: '#010203' },
    ],
  ],
  [
    '\x1b[38:5:9mx\x1b[38:2:1:2:3my',
    [
      { text: 'x', fg: 9 },
      { text: 'y', fg: '#010203' },
    ],
  ],
  ['\x1b[4:3mx\x1b[4:0my\x1b[21mz', [{ text: 'x', underline: true }, { text: 'y' }, { text: 'z', underline: true }]],
  ['\x1b[38;5mx\x1b[38mx\x1b[;1my\x1b[mz', [{ text: 'xx' }, { text: 'y', bold: true }, { text: 'z' }]],
  ['\x1b]8;id=1;http://a/?b;c\x1b\\link\x1b]8;;\x07 no', [{ text: 'link', href: 'http://a/?b;c' }, { text: ' no' }]],
  [`\x1b]8;;http://${'x'.repeat(3000)}\x07long`, [{ text: 'long' }]],
  ['\x1b]8;;http://a b\x07bad', [{ text: 'bad' }]],
  [
    '\x1b[31mab\x1b[32m\b\bc',
    [
      { text: 'c', fg: 2 },
      { text: 'b', fg: 1 },
    ],
  ],
  ['\x1b[31mab\x1b[0m\r', [{ text: 'ab', fg: 1 }]],
  ['\x1b[7m  \x1b[m\t', [{ text: '  ', inverse: true }, { text: '      ' }]],
])('%j', (raw, expected) => {
  expect(spans(raw)).toEqual(expected);
});

test('a look goes on over lines and ends at RIS', () => {
  expect(feedStyled([Buffer.from('\x1b[31ma\r\nb\r\n\x1bcd')])).toEqual([
    { n: 0, spans: [{ text: 'a', fg: 1 }] },
    { n: 1, spans: [{ text: 'b', fg: 1 }] },
    { n: 2, spans: [{ text: 'd' }] },
  ]);
});

test('stops after as many lines as were asked for', () => {
  const reader = new StyledLines({ count: 2 });
  expect(plain(reader.feed(Buffer.from('a\nb\nc\nd')))).toEqual(['a', 'b']);
  expect(reader.isDone).toBe(true);
  expect([...reader.feed(Buffer.from('e\n')), ...reader.end()]).toEqual([]);
});

test('a flood of colours keeps every line right', () => {
  const color = (i: number) => `#${i.toString(16).padStart(6, '0')}`;
  const raw = Array.from(
    { length: 20_000 },
    (_, i) => `\x1b[38;2;${i >> 16};${(i >> 8) & 255};${i & 255}mx${i % 3 === 0 ? '\n' : ''}`,
  ).join('');
  const all = feedStyled([Buffer.from(raw)]).flatMap((line) => line.spans);
  expect(all.map((span) => span.fg)).toEqual(Array.from({ length: 20_000 }, (_, i) => color(i)));
});
