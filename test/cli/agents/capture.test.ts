import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CaptureTerminal } from '../../../src-main/cli/agents/CaptureTerminal.ts';
import { MarkKeys } from '../../../src-main/cli/agents/MarkKeys.ts';
import { expectedOf, MARK_KINDS, type Mark, screensText } from '../../../src-main/cli/agents/marks.ts';
import { redactedEvents } from '../../../src-main/cli/agents/redactedCast.ts';
import { ControlTokens } from '../../../src-main/events/ControlTokens.ts';
import type { CastEvent } from '../../../src-main/recordings/formats/CastReader.ts';
import type { OuterTerminal } from '../../../src-main/recordings/recordProgram.ts';
import { ScreenModel } from '../../../src-main/screen/emulator/ScreenModel.ts';
import { toDisposable } from '../../../src-main/util/Disposables.ts';
import type { Expected } from '../../agents/compare/expected.ts';
import { FakeClock } from '../../support/FakeClock.ts';

const SIZE = { cols: 60, rows: 8 };
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** Types the chunks of keys; returns the keys passed to the program and the marks. */
function taken(chunks: readonly string[], suggested = ''): { passed: string; made: string[] } {
  const keys = new MarkKeys(() => suggested);
  const took = chunks.map((chunk) => keys.feed(bytesOf(chunk)));
  return {
    passed: took.map(({ passed }) => textOf(passed)).join(''),
    made: took.flatMap(({ made }) => made.map(({ kind, text }) => `${kind.label}: ${text}`)),
  };
}

describe('the mark key', () => {
  test.each([
    ['plain keys', ['\x1d', 'i', 'All ', 'done.\r'], 'idle: All done.'],
    ['one chunk', ['\x1diAll done.\r'], 'idle: All done.'],
    ['the kitty protocol', ['\x1b[93;5u', '\x1b[105;1:1u\x1b[105;1:3u', 'All done.', '\x1b[13u'], 'idle: All done.'],
    ['modifyOtherKeys', ['\x1b[27;5;93~', 'iAll done.\r'], 'idle: All done.'],
    ['erasing', ['\x1dixx\x15All  \x7fdone.é\x7f\r'], 'idle: All done.'],
    ['reports of mouse and focus between', ['\x1d', '\x1b[I', 'i', 'All \x1b[<35;2;3M', 'done.\r'], 'idle: All done.'],
    ['a paste of two lines', ['\x1di\x1b[200~one\rtwo\x1b[201~\r'], 'idle: one\ntwo'],
    ['Ctrl+J', ['\x1dione\ntwo\r'], 'idle: one\ntwo'],
  ])('makes a mark by %s, and the program gets no key of it', (_, chunks, mark) => {
    expect(taken(chunks)).toEqual({ passed: '', made: [mark] });
  });

  test('a character that comes in two chunks is one', () => {
    const keys = new MarkKeys();
    const bytes = bytesOf('\x1di日\r');
    const made = [bytes.subarray(0, 3), bytes.subarray(3)].map((chunk) =>
      keys.feed(chunk).made.map(({ text }) => text),
    );
    expect(made).toEqual([[], ['日']]);
  });

  test('offers what was sent last for a mark of what was sent', () => {
    expect(taken(['\x1dw', '\r'], 'run it').made).toEqual(['working: run it']);
    expect(taken(['\x1di', '\r'], 'run it').made).toEqual(['idle: ']);
  });

  test('Escape goes back, another key than of a kind is ignored, and twice is the key itself', () => {
    expect(taken(['a\x1d', '\x1b', 'b'])).toEqual({ passed: 'ab', made: [] });
    expect(taken(['\x1d', 'z', 'i', 'x', '\x1b', 'b'])).toEqual({ passed: 'b', made: [] });
    expect(taken(['a\x1d\x1db'])).toEqual({ passed: 'a\x1db', made: [] });
    expect(taken(['a\x1d\x1d\x1dione\r\x1dmtwo\rb'])).toEqual({
      passed: 'a\x1db',
      made: ['idle: one', 'says: two'],
    });
    expect(taken(['\x1b[93;5u', '\x1b[93;5u', 'b'])).toEqual({ passed: '\x1b[93;5ub', made: [] });
  });

  test('whatever else is typed goes to the program byte by byte', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 12 })), (chunks) => {
        const plain = chunks.map((chunk) => chunk.filter((byte) => byte !== 0x1d && byte !== 0x1b));
        const keys = new MarkKeys();
        for (const chunk of plain) expect([...keys.feed(chunk).passed]).toEqual([...chunk]);
      }),
    );
  });
});

/** A person's terminal and its output. */
function outer() {
  const screen = new ScreenModel({ ...SIZE, scrollbackLines: 0 });
  const clock = new FakeClock();
  const typed: string[] = [];
  let on: Parameters<OuterTerminal['listen']>[0] | null = null;
  const inner: OuterTerminal = {
    size: SIZE,
    show: (bytes, eachToken) => {
      screen.write(bytes);
      eachToken(() => undefined);
    },
    listen(listeners) {
      on = listeners;
      return toDisposable(() => undefined);
    },
  };
  const terminal = new CaptureTerminal(inner, clock, '$ acme\r\n');
  terminal.listen({
    typed: (bytes) => typed.push(textOf(bytes)),
    resized: () => undefined,
    ending: () => undefined,
  });
  const rows = () => screen.frame().rows.map(({ text }) => text.trimEnd());
  return {
    ...{ terminal, clock, typed, screen, rows },
    print: (text: string) => terminal.show(bytesOf(text), (visit) => new ControlTokens().scan(bytesOf(text), visit)),
    press: (keys: string) => on?.typed(bytesOf(keys)),
    dispose: () => {
      terminal.dispose();
      screen.dispose();
    },
  };
}

describe('while a mark is made', () => {
  test('the program’s screen is held with a row of keys, and is as the program’s afterwards, with its modes', () => {
    const at = outer();
    at.print('\x1b[?1049h\x1b[2J\x1b[?1000h\x1b[1;1H\x1b[31mHello\x1b[8;1Hfoot');
    at.clock.advance(2000);
    at.press('\x1d');
    at.print('\x1b[1;1HChanged\x1b[?2004h');
    expect(at.rows()).toEqual(['Hello', '', '', '', '', '', '', expect.stringContaining('t tool  Esc')]);
    at.press('iHello');
    expect(at.rows().at(-1)).toContain('What was its last answer? Hello');
    at.press('\r');
    expect(at.rows()).toEqual(['Changed', '', '', '', '', '', '', 'foot']);
    const wanted = new ScreenModel({ ...SIZE, scrollbackLines: 0 });
    wanted.write(
      bytesOf('$ acme\r\n\x1b[?1049h\x1b[2J\x1b[?1000h\x1b[1;1H\x1b[31mHello\x1b[8;1Hfoot\x1b[1;1HChanged\x1b[?2004h'),
    );
    expect(at.screen.serialize(0)).toBe(wanted.serialize(0));
    wanted.dispose();
    expect(at.typed).toEqual([]);
    expect(at.terminal.marks).toMatchObject([
      { text: 'Hello', kind: { label: 'idle' }, rows: ['Hello', '', '', '', '', '', '', 'foot'] },
    ]);
    at.dispose();
  });

  test('a mark knows since when the screen was as it is, whatever was drawn again', () => {
    const at = outer();
    const begunMs = at.clock.nowMs();
    at.print('Question?');
    at.clock.advance(3000);
    at.print('\x1b]0;blink\x07\x1b[sQ\b\x1b[u');
    at.print('\b\b? \b\b');
    at.clock.advance(1000);
    at.press('\x1daQuestion?\r');
    const [mark] = at.terminal.marks;
    expect(mark?.atMs).toBe(begunMs + 4000);
    expect(mark?.stillMs).toBeLessThanOrEqual(begunMs + 3000);
    at.dispose();
  });

  test('what was typed up to Return is offered, replies of the terminal left out, and is cut to the row', () => {
    const at = outer();
    at.press('\x1b[12;3R\x1b[?62;c');
    at.press('\x1b');
    at.press('run the tests');
    at.press('\r');
    at.press('\x1dw');
    expect(at.rows().at(-1)).toContain('What did you send? run the tests');
    at.press(` 日本語 ${'long '.repeat(40)}end`);
    expect(at.rows().at(-1)).toMatch(/^….*end▏$/);
    expect(at.rows()[0]).toBe('$ acme');
    at.dispose();
  });
});

const FACTS = { agent: 'acme', version: '1.0', case: 'basic', about: 'a test', cols: 60, rows: 8, baseMs: 1000 };

function markAt(key: string, mark: Partial<Mark>): Mark {
  const kind = MARK_KINDS.find((one) => one.key === key);
  if (!kind) throw new Error(`no mark ${key}`);
  return { kind, text: '', at: 0, atMs: 0, stillMs: 0, rows: [], cols: 60, ...mark };
}

test('marks become what the walkers of the tests read: messages in order, and states that are certain up to the mark', () => {
  const marks = [
    markAt('w', { text: 'run it', atMs: 4000, stillMs: 3900 }),
    markAt('t', { text: 'npm test', atMs: 5000, stillMs: 5000 }),
    markAt('a', { text: 'Run npm test?', atMs: 9000, stillMs: 6000 }),
    markAt('d', { text: 'Yes', atMs: 9800, stillMs: 9700 }),
    markAt('i', { text: 'Done.', atMs: 12_000, stillMs: 8000 }),
  ];
  const expected = expectedOf(marks, { ...FACTS, endMs: 14_000 }) satisfies Expected;
  expect(expected.conversations[0]?.messages).toEqual([
    { kind: 'user', text: 'run it' },
    { kind: 'toolCall', text: 'npm test', tool: { does: 'shell', name: 'shell' } },
    { kind: 'model', text: 'Done.' },
  ]);
  expect(expected.states.map(({ atMs, untilMs, state }) => [atMs, untilMs, state])).toEqual([
    [2500, 3000, 'working'],
    [5000, 8000, 'needs_approval'],
    [8300, 8800, 'working'],
    [8300, 11_000, 'idle'],
  ]);
  expect(expected.runs).toEqual([{ agent: 'acme', fromMs: 0, toMs: 13_000 }]);
});

test('marked screens are written with the number of each row', () => {
  const mark = markAt('i', { text: 'All\ndone.', atMs: 3500, rows: ['> hi', '', 'All done.'] });
  expect(screensText([mark], 1000)).toBe('# 1 idle at 2.500 s: All ⏎ done.\n  0 > hi\n  1\n  2 All done.\n');
});

describe('secrets in a recording', () => {
  const KEY = `sk-ant-api03-${'Ab3dE5gH'.repeat(10)}`;
  const played = (texts: readonly string[]) =>
    redactedEvents(
      texts.map((text, at): CastEvent => ({ type: 'output', atMs: at, text })),
      SIZE,
    );

  test.each([
    ['in one piece', [`key ${KEY} end`]],
    ['over two events', [`key ${KEY.slice(0, 20)}`, `${KEY.slice(20)} end`]],
    ['over rows that the program begins itself', [`key:\x1b[2;1H${KEY.slice(0, 60)}\x1b[3;1H${KEY.slice(60)} end`]],
  ])('%s: they are gone from every event, and nothing else is', (_, texts) => {
    const { events, count, left } = played(texts);
    const text = events.map((event) => (event.type === 'output' ? event.text : '')).join('');
    expect(text).not.toContain(KEY.slice(20, 40));
    expect(text.length).toBe(texts.join('').length);
    expect(text).toMatch(/^key.*end$/s);
    expect({ isCounted: count > 0, left }).toEqual({ isCounted: true, left: 0 });
  });

  test('a recording without any is as it was', () => {
    const texts = ['Hello \x1b[31m', 'world 日本'];
    expect(played(texts)).toEqual({
      events: texts.map((text, atMs) => ({ type: 'output', atMs, text })),
      count: 0,
      left: 0,
    });
  });
});
