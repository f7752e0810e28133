import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CastHead, CastWriter } from '../../../../src-main/conversations/extraction/exporters/cast.ts';
import { type CastEvent, CastReader } from '../../../../src-main/recordings/formats/CastReader.ts';

const START_MS = 1_700_000_000_250;
const head = (version: 2 | 3, change: Partial<CastHead> = {}): CastHead => ({
  version,
  cols: 100,
  rows: 30,
  startMs: START_MS,
  title: null,
  idleLimitS: null,
  env: { TERM: 'xterm-256color', SHELL: '/bin/zsh' },
  ...change,
});

/** Reads the events of a whole file; `atMs` counts from 1970. */
function readBack(file: string): CastEvent[] {
  const [first = '', ...lines] = file.trimEnd().split('\n');
  const reader = CastReader.open(first);
  if ('problem' in reader) throw new Error(reader.problem);
  return lines.map((line) => {
    const event = reader.read(line);
    if (!event || 'problem' in event) throw new Error(`${line}: ${event?.problem}`);
    return { ...event, atMs: event.atMs + (reader.header.startMs ?? 0) };
  });
}

const versions = fc.constantFrom<2 | 3>(2, 3);
const waits = fc.array(fc.nat(100_000), { minLength: 1, maxLength: 40 });

describe('what is written as an asciicast is read back', () => {
  test('every text, cut at any byte, with its times', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 }).map((any) => any.toWellFormed());
    fc.assert(
      fc.property(versions, text, waits, (version, whole, gaps) => {
        const bytes = Buffer.from(whole);
        const writer = new CastWriter(head(version));
        let file = writer.head();
        let atMs = START_MS;
        const step = Math.max(1, Math.ceil(bytes.length / gaps.length));
        const told: number[] = [];
        gaps.forEach((gap, n) => {
          atMs += gap;
          const line = writer.output(bytes.subarray(n * step, (n + 1) * step), atMs);
          if (line !== '') told.push(atMs);
          file += line;
        });
        file += writer.end(0, atMs);
        const events = readBack(file);
        const outputs = events.filter((event) => event.type === 'output');
        expect(outputs.map((event) => ('text' in event ? event.text : '')).join('')).toBe(whole);
        expect(outputs.slice(0, told.length).every(({ atMs: ms }, n) => Math.abs(ms - (told[n] ?? 0)) < 1)).toBe(true);
      }),
    );
  });

  test('sizes, markers and the exit keep their places and times', () => {
    for (const version of [2, 3] as const) {
      const writer = new CastWriter(head(version));
      const file = [
        writer.head(),
        writer.marker('make', START_MS + 10),
        writer.output(Buffer.from('a'), START_MS + 20),
        writer.resize(120, 40, START_MS + 30),
        writer.end(2, START_MS + 1040),
      ].join('');
      const expected = [
        { type: 'marker', text: 'make', atMs: START_MS + 10 },
        { type: 'output', text: 'a', atMs: START_MS + 20 },
        { type: 'resize', cols: 120, rows: 40, atMs: START_MS + 30 },
        { type: 'exit', exitCode: 2, atMs: START_MS + 1040 },
      ].slice(0, version === 3 ? 4 : 3);
      expect(readBack(file).map((event) => ({ ...event, atMs: Math.round(event.atMs) }))).toEqual(expected);
    }
  });

  test('the header has the size, the second it starts in, title, limit and environment', () => {
    const change = { title: 'Demo', idleLimitS: 2 };
    expect(JSON.parse(new CastWriter(head(2, change)).head())).toEqual({
      version: 2,
      width: 100,
      height: 30,
      timestamp: 1_700_000_000,
      idle_time_limit: 2,
      title: 'Demo',
      env: { TERM: 'xterm-256color', SHELL: '/bin/zsh' },
    });
    expect(JSON.parse(new CastWriter(head(3)).head())).toEqual({
      version: 3,
      term: { cols: 100, rows: 30, type: 'xterm-256color' },
      timestamp: 1_700_000_000,
      env: { TERM: 'xterm-256color', SHELL: '/bin/zsh' },
    });
  });

  test('a time that goes back is the time before', () => {
    const writer = new CastWriter(head(3));
    const file =
      writer.head() + writer.output(Buffer.from('a'), START_MS + 500) + writer.output(Buffer.from('b'), START_MS);
    expect(readBack(file).map(({ atMs }) => atMs)).toEqual([START_MS + 500, START_MS + 500]);
  });

  test('bytes that are no UTF-8 become U+FFFD, also a character that never ends', () => {
    const writer = new CastWriter(head(2));
    const file = `${writer.head()}${writer.output(Buffer.from([0x61, 0xff, 0x62, 0xe2, 0x82]), START_MS)}${writer.end(null, START_MS)}`;
    expect(readBack(file).map((event) => ('text' in event ? event.text : ''))).toEqual(['a\ufffdb', '\ufffd']);
  });

  test('the file itself holds nothing that a terminal obeys', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (any) => {
        const writer = new CastWriter(head(2, { title: any }));
        const file = writer.head() + writer.output(Buffer.from(any), START_MS) + writer.marker(any, START_MS);
        expect(file.replaceAll('\n', '')).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
      }),
    );
  });
});

describe('an asciicast that was made elsewhere', () => {
  const V2 = '{"version": 2, "width": 80, "height": 24}';

  test.each([
    [
      'version 2',
      '{"version":2,"width":80,"height":24,"timestamp":1504467315,"title":"Demo","env":{"SHELL":"/bin/zsh"}}',
      { version: 2, cols: 80, rows: 24, startMs: 1_504_467_315_000, title: 'Demo', command: null, shell: '/bin/zsh' },
    ],
    [
      'version 3',
      '{"version":3,"term":{"cols":90,"rows":30,"type":"x","theme":{}},"command":"top","idle_time_limit":1}',
      { version: 3, cols: 90, rows: 30, startMs: null, title: null, command: 'top', shell: null },
    ],
  ])('%s tells what it is', (_, line, header) => {
    const reader = CastReader.open(line);
    expect('problem' in reader ? reader : reader.header).toEqual(header);
  });

  test.each([
    ['no JSON', 'hello', /not JSON/],
    ['version 1', '{"version":1,"width":80,"height":24,"stdout":[]}', /version 1/],
    ['a version that is not known', '{"version":9}', /header/],
    ['no size', '{"version":2,"width":80}', /height/],
    ['a size of nothing', '{"version":3,"term":{"cols":0,"rows":24}}', /cols/],
  ])('a header with %s is refused', (_, line, problem) => {
    const reader = CastReader.open(line);
    expect('problem' in reader ? reader.problem : '').toMatch(problem);
  });

  test.each([
    ['[1.0, "o"', /not JSON/],
    ['{"a":1}', /not an event/],
    ['[1.0, "o"]', /not an event/],
    ['["1", "o", "x"]', /not a time/],
    ['[-1, "o", "x"]', /not a time/],
    ['[1e99, "o", "x"]', /not a time/],
    ['[1, 7, "x"]', /code/],
    ['[1, "o", 7]', /not a string/],
    ['[1, "r", "80 by 24"]', /not a size/],
  ])('the event %s is refused with its reason', (line, problem) => {
    const reader = CastReader.open(V2);
    const event = 'problem' in reader ? reader : reader.read(line);
    expect(event && 'problem' in event ? event.problem : '').toMatch(problem);
  });

  test('comments and blank lines are nothing, unknown codes are passed over but their time counts', () => {
    const reader = CastReader.open('{"version":3,"term":{"cols":80,"rows":24}}');
    if ('problem' in reader) throw new Error(reader.problem);
    const lines = ['# a comment', '', '[0.5, "z", "later"]', '[0.25, "o", "x"]'];
    expect(lines.map((line) => reader.read(line))).toEqual([
      null,
      null,
      { type: 'other', atMs: 500 },
      { type: 'output', atMs: 750, text: 'x' },
    ]);
  });
});
