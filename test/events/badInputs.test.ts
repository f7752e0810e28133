import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { feedText } from '../blocks/feedText.ts';
import { feedEvents, type PlainEvent, textOf, withoutOutput } from './feedEvents.ts';
import { beginMarker, cutAt, endMarker, promptMarker } from './terminalStream.ts';

interface BadInput {
  id: string;
  bytes_b64: string | null;
}

const inputs = readFileSync(new URL('../fixtures/security/bad-inputs.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as BadInput);

/** Bytes of a list entry. B36, B42 and others of the specification's table that the file leaves out are written here. */
function bytesOf(id: string): Buffer {
  const input = inputs.find((candidate) => candidate.id === id);
  if (!input?.bytes_b64) throw new Error(`No bytes for ${id} in bad-inputs.jsonl`);
  return Buffer.from(input.bytes_b64, 'base64');
}

const outputs = inputs.filter((input) => input.bytes_b64 && Number(input.id.slice(1)) < 66);
const MARKS = new Set(['begin', 'end', 'prompt']);
const framed = (bytes: Uint8Array) => [
  Buffer.from(promptMarker() + beginMarker('x')),
  bytes,
  Buffer.from(endMarker(0) + promptMarker()),
];
const markTypes = (events: readonly PlainEvent[]) =>
  events.filter((event) => MARKS.has(event.type)).map((event) => event.type);

describe.each(outputs)('$id', ({ id }) => {
  test('changes no block: the command around it begins and ends, and all its bytes are output', () => {
    const bytes = bytesOf(id);
    const events = feedEvents(framed(bytes));
    expect(markTypes(events)).toEqual(['prompt', 'begin', 'end', 'prompt']);
    expect(textOf(events)).toBe(bytes.toString());
  });

  test('means the same in two pieces, wherever it is cut', () => {
    const bytes = bytesOf(id).subarray(0, 400);
    const whole = { events: feedEvents([bytes]), text: feedText([bytes]) };
    for (let at = 1; at < bytes.length; at++) {
      const chunks = [bytes.subarray(0, at), bytes.subarray(at)];
      expect({ events: feedEvents(chunks), text: feedText(chunks) }, `cut at ${at}`).toEqual(whole);
    }
  });

  test('leaves no control in the text', () => {
    expect(feedText([bytesOf(id)]).text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });
});

test('B01: a title is set, as text', () => {
  expect(withoutOutput(feedEvents([bytesOf('B01')]))).toEqual([{ type: 'title', at: 0, title: 'x;id' }]);
});

test('B10: a clipboard is never read', () => {
  expect(withoutOutput(feedEvents([Buffer.from('\x1b]52;c;?\x07\x1b]52;;?\x1b\\')]))).toEqual([]);
});

test('B11: a clipboard write is told with its newline', () => {
  expect(withoutOutput(feedEvents([bytesOf('B11')]))).toMatchObject([
    { type: 'clipboardWrite', text: expect.stringContaining('\n') },
  ]);
});

test('B12: twenty megabytes for the clipboard are dropped, one is not', () => {
  const write = (bytes: number) => Buffer.from(`\x1b]52;c;${Buffer.alloc(bytes, 0x61).toString('base64')}\x07`);
  expect(withoutOutput(feedEvents(cutAt(write(20 * 1024 * 1024), [0.2, 0.7])))).toEqual([]);
  expect(withoutOutput(feedEvents([write(1024 * 1024)]))).toMatchObject([
    { type: 'clipboardWrite', text: 'a'.repeat(1024 * 1024) },
  ]);
  expect(withoutOutput(feedEvents([write(1024 * 1024 + 1)]))).toEqual([]);
});

test('B17: 200,000 links take no more than their text', () => {
  const link = Array.from({ length: 200_000 }, (_, i) => `\x1b]8;;http://x/${i}\x07a\x1b]8;;\x07`).join('');
  expect(feedText([Buffer.from(link)]).text).toBe('a'.repeat(200_000));
});

test.each(['B27', 'B29'])('%s: an unterminated string hides no end, and the record is complete', (id) => {
  const events = feedEvents(framed(bytesOf(id)));
  expect(events.find((event) => event.type === 'end')).toMatchObject({ trusted: true, exitCode: 0 });
});

test('B30: after 30 MB of an OSC the text is seen again, and nothing was made of the string', () => {
  const bytes = Buffer.concat([Buffer.from('\x1b]2;'), Buffer.alloc(30 * 1024 * 1024, 0x41), Buffer.from('\x07after')]);
  expect(withoutOutput(feedEvents([bytes]))).toEqual([]);
  expect(feedText([bytes]).text).toBe('after');
});

test('B31: of a flood of titles ten a second pass, of 1,024 characters at most', () => {
  const titles = `\x1b]0;${'T'.repeat(60_000)}\x07${'\x1b]0;t\x07'.repeat(100_000)}`;
  const found = withoutOutput(feedEvents([Buffer.from(titles)]));
  expect(found).toHaveLength(10);
  expect(found[0]).toEqual({ type: 'title', at: 0, title: 'T'.repeat(1024) });
});

test('B32: a title keeps its HTML as text and loses controls and bidi marks', () => {
  const title = '<img src=x onerror=alert(1)>\u202e\u2066gpj.exe\u200f\u061c\x01\u2028';
  expect(withoutOutput(feedEvents([Buffer.from(`\x1b]2;${title}\x07`)]))).toMatchObject([
    { title: '<img src=x onerror=alert(1)>gpj.exe' },
  ]);
});

test('B33: of a million bells ten a second pass', () => {
  expect(withoutOutput(feedEvents([Buffer.alloc(1_000_000, 7)]))).toHaveLength(10);
});

test('B34: C1 as UTF-8 is taken out of the text, with what it introduces', () => {
  expect(feedText([Buffer.from('a\u009b31mb\u009d0;t\u009cc\u0085d\u0099')]).text).toBe('abc\nd');
});

test('B35: a raw C1 byte is no control: it is U+FFFD in the text, and its byte is output', () => {
  expect(feedText([bytesOf('B35')]).text).toBe('\ufffd31mA');
  expect(feedEvents([bytesOf('B35')])).toEqual([{ type: 'output', at: 0, end: 5, hex: '9b33316d41' }]);
});

test('B37: malformed UTF-8 is as many U+FFFD as TextDecoder makes', () => {
  expect(feedText([bytesOf('B37')]).text).toBe(new TextDecoder().decode(bytesOf('B37')));
});

test('B38: 100,000 combining characters are text, whether overprinted or not', () => {
  const marks = '\u0301'.repeat(100_000);
  expect(feedText([Buffer.from(`e${marks}\n`)]).text).toBe(`e${marks}\n`);
  expect(feedText([Buffer.from(`ab\be${marks}\n`)]).text).toHaveLength(2 + marks.length + 1);
});

test('B42, B43, B44: foreign marks and sentinels in text open no block, their bytes stay', () => {
  const text = '\x1b]133;C\x07green\x1b]133;D;0\x07__FWS_BLOCK_BEGIN__ rm\r\n';
  const stream = Buffer.concat([Buffer.from(promptMarker() + text), bytesOf('B43'), bytesOf('B45')]);
  expect(markTypes(feedEvents([stream]))).toEqual(['prompt']);
  expect(textOf(feedEvents([stream]))).toContain('__FWS_BLOCK_BEGIN__ rm');
});

test('B49: line drawing that was left on is no longer on in the next block', () => {
  expect(feedText([bytesOf('B49')]).text).toBe('┌──┐');
  expect(feedText([Buffer.from('lqk')]).text).toBe('lqk');
});

test('B53: a line of 100 MB is given out as it comes', () => {
  const chunk = Buffer.alloc(1024 * 1024, 0x78);
  const { outBytes, lines } = feedText(new Array<Uint8Array>(100).fill(chunk));
  expect({ outBytes, lines }).toEqual({ outBytes: 100 * 1024 * 1024, lines: 1 });
});

test('B55: a spinner of 100,000 turns is one line', () => {
  expect(feedText([Buffer.from(`${'progress 1%\rprogress 2%\r'.repeat(50_000)}done\n`)])).toMatchObject({
    text: 'doneress 2%\n',
    lines: 1,
  });
});

test('B56: NUL and DEL are dropped', () => {
  expect(feedText([Buffer.from('A\0B\x7fC')]).text).toBe('ABC');
});

test('B57, B58, B59: what looks like a record, a line separator or HTML is text', () => {
  const text = `${bytesOf('B57').toString()}a\u2028b\u2029c\r\n${bytesOf('B59').toString()}`;
  expect(feedText([Buffer.from(text)]).text).toBe(text.replaceAll('\r', ''));
});

test.each([
  'file:///../../etc\x00',
  'file:///a%00b',
  'file:///a%0ab',
  'file://%',
  'file:///%ff',
  'relative',
  '',
  'file:///',
  `file:///${'x'.repeat(5000)}`,
  'file://evil.example/etc',
])('B62: OSC 7 with %j gives no folder but a plain one of this machine', (url) => {
  const found = withoutOutput(feedEvents([Buffer.from(`\x1b]7;${url}\x07`)]));
  expect(found).toEqual(url === 'file:///' ? [{ type: 'cwd', at: 0, path: '/', by: 'OSC 7' }] : []);
});

test('B63: notifications are text, ten a minute', () => {
  expect(withoutOutput(feedEvents([bytesOf('B63')]))).toMatchObject([
    { type: 'notification', title: null, body: '<b>x</b>' },
    { type: 'notification', title: 't', body: 'b' },
  ]);
  expect(withoutOutput(feedEvents([Buffer.from('\x1b]9;hi\x07'.repeat(500))]))).toHaveLength(10);
});

test('B64: OSC 9;7 runs nothing and says nothing', () => {
  expect(withoutOutput(feedEvents([Buffer.from('\x1b]9;7;calc.exe\x07\x1b]9;12\x07')]))).toEqual([]);
});
