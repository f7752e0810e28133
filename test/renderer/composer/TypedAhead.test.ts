import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findWalk, foldKeys, type Piece } from '../../../src-renderer/composer/foldKeys.ts';
import { TypedAhead } from '../../../src-renderer/composer/TypedAhead.svelte.ts';
import { terminalView } from '../support/fakeRpc.ts';

const key = (text: string): Piece => ({ text, isPaste: false });
const view = (change = {}) => terminalView({ id: 'a', ...change });
const RUNS = { runningBlockId: 'b1', atPrompt: false };

describe('what keys make of a line', () => {
  test.each([
    ['', ['l', 's', '\r', 'pwd'], { text: 'ls', rest: [key('pwd')] }],
    ['gi', ['t x', '\x7f', '\x7f'], { text: 'git' }],
    ['one', [' two', '\x17', '\x1b[A', '\x1bOP', '\t'], { text: 'one ' }],
    ['one', ['\x15', 'two\rthree\r'], { text: 'two', rest: [key('three\r')] }],
    ['half', ['\x03'], { text: '' }],
    ['gt', ['\x1b[D', 'i'], { text: 'git', caret: 2 }],
    ['it log', ['\x1bOH', 'g', '\x1b[F', ' -1'], { text: 'git log -1' }],
    ['ab👩c', ['\x1b[D', '\x1b[D', '\x1b[3~', '\x1b[D', '\x15'], { text: 'bc', caret: 0 }],
    ['one two', ['\x1b[D', '\x1b[D', '\x1b[D', '\x0b', '\x1b[C'], { text: 'one ' }],
    ['ls', ['\x1b[D', '\r', 'x'], { text: 'ls', rest: [key('x')] }],
    ['', ['👩‍👧', 'é', '\x7f'], { text: '👩‍👧' }],
  ])('%j and %j', (line, keys, folded) => {
    expect(foldKeys(line, keys.map(key))).toEqual(folded);
  });

  test.each([
    [['\x1b[A', '\r'], { before: [], by: 'older', after: [key('\r')] }],
    [['gi\x1bOAx'], { before: [key('gi')], by: 'older', after: [key('x')] }],
    [['\x0e'], { before: [], by: 'newer', after: [] }],
    [['ls\r', '\x1b[A'], null],
  ])('%j leads through the history, if no Return comes first', (keys, found) => {
    expect(findWalk(keys.map(key))).toEqual(found);
  });

  test('a paste is text, line breaks and all', () => {
    expect(foldKeys('a', [{ text: 'b\r\nc', isPaste: true }, key('d')])).toEqual({ text: 'ab\r\ncd' });
  });

  test('how the keys were cut into pieces makes no difference', () => {
    const typed = fc.string({ unit: fc.constantFrom('a', ' ', '\r', '\x7f', '\x15', 'é') });
    fc.assert(
      fc.property(typed, (keys) => {
        const lines = (pieces: Piece[]): string[] => {
          const { text, rest } = foldKeys('', pieces);
          return rest ? [text, ...lines(rest)] : [text];
        };
        expect(lines(Array.from(keys, key))).toEqual(lines([key(keys)]));
      }),
    );
  });
});

describe('what is typed after Return', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function setUp(from = view(), shellLine = '') {
    const got: string[] = [];
    const ahead = new TypedAhead();
    ahead.begin(
      {
        settled: () => got.push('settled'),
        program: async ({ text }) => got.push(`program ${text}`),
        hasKeys: () => true,
        standsInLine: async (text) => text === shellLine,
        before: (text) => got.push(`before ${text}`),
        composer: (pieces) => got.push(`composer ${pieces.map(({ text }) => text).join('')}`),
        nobody: (pieces) => got.push(`nobody ${pieces.map(({ text }) => text).join('')}`),
      },
      from,
    );
    return { ahead, got };
  }

  test('is dropped behind keys whose arrival is not known, and what is typed later is not held', async () => {
    const got: string[] = [];
    const answer = Promise.withResolvers<boolean>();
    const ahead = new TypedAhead();
    ahead.begin(
      {
        ...{ settled: () => undefined, hasKeys: () => true, standsInLine: async () => false, before: () => undefined },
        ...{ composer: () => undefined, nobody: () => undefined },
        program: ({ text }) => {
          got.push(text);
          return answer.promise;
        },
      },
      view(),
    );
    ahead.sees(view(RUNS));
    ahead.take(key('a'));
    await vi.advanceTimersByTimeAsync(1000);
    expect(ahead.take(key('b'))).toBe(true); // the core has not answered yet
    ahead.take({ text: 'c', isPaste: true });
    answer.resolve(false);
    await vi.advanceTimersByTimeAsync(1000);
    expect([got, ahead.isOn, ahead.take(key('f'))]).toEqual([['a'], false, false]);
  });

  test('is the program’s once its command has settled, in order', async () => {
    const { ahead, got } = setUp();
    for (const text of 'abc') expect(ahead.take(key(text))).toBe(true);
    ahead.accepted(false);
    ahead.sees(view(RUNS));
    expect(got).toEqual([]);
    await vi.runAllTimersAsync();
    expect(got).toEqual(['settled', 'program abc']);
    expect(ahead.take(key('d'))).toBe(false);
  });

  test('is the composer’s once the person asks for it, and stays there when the command settles', async () => {
    const { ahead, got } = setUp();
    ahead.take(key('a'));
    ahead.accepted(false);
    ahead.sees(view(RUNS));
    ahead.leave();
    expect(got).toEqual(['composer a']);
    ahead.leave();
    ahead.sees(view({ ...RUNS, altScreen: true }));
    await vi.runAllTimersAsync();
    expect(got).toEqual(['composer a']);
    expect(ahead.take(key('b'))).toBe(false);
  });

  test('is nobody’s where the command does not exist', () => {
    const { ahead, got } = setUp();
    ahead.accepted(false);
    ahead.sees(view(RUNS));
    ahead.take(key('hunter2\r'));
    ahead.sees(view({ atPrompt: false, lastExitCode: 127 }));
    ahead.sees(view({ lastExitCode: 127 }));
    expect(got).toEqual(['nobody hunter2\r']);
  });

  test.each(['', 'hun'])(
    'is nobody’s to the end of its line, when %j was typed before the command was not found',
    (begun) => {
      const { ahead, got } = setUp();
      ahead.accepted(false);
      ahead.sees(view(RUNS));
      if (begun) ahead.take(key(begun));
      ahead.sees(view({ lastExitCode: 127 }));
      vi.advanceTimersByTime(200);
      for (const text of 'hunter2'.slice(begun.length)) {
        expect(ahead.take(key(text))).toBe(true);
        vi.advanceTimersByTime(400);
      }
      ahead.take(key('\r'));
      expect(got).toEqual(['nobody hunter2\r']);
      expect(ahead.isOn).toBe(false);
    },
  );

  test('is the composer’s where nothing was typed before the error could be read', () => {
    const { ahead, got } = setUp();
    ahead.sees(view(RUNS));
    ahead.sees(view({ lastExitCode: 127 }));
    vi.advanceTimersByTime(500);
    expect([ahead.isOn, got]).toEqual([false, ['nobody ']]);
  });

  test('is the next line where the command was over before', () => {
    const { ahead, got } = setUp();
    ahead.accepted(false);
    ahead.sees(view(RUNS));
    ahead.take(key('ls'));
    ahead.sees(view({ atPrompt: false }));
    expect(got).toEqual([]);
    ahead.sees(view());
    expect(got).toEqual(['composer ls']);
  });

  test.each([
    ['taken back from the shell', 'git st', ['settled', 'program \x15', 'composer git status']],
    ['left to the program that read it', '', ['settled', 'composer atus']],
  ])('is half a line when the command ends: %s', async (_, shellLine, wanted) => {
    const { ahead, got } = setUp(view(), shellLine);
    ahead.sees(view(RUNS));
    await vi.runAllTimersAsync();
    for (const text of 'git st') expect(ahead.take(key(text))).toBe(false);
    ahead.sees(view({ atPrompt: false }));
    expect(ahead.take(key('atus'))).toBe(true);
    ahead.sees(view());
    await vi.runAllTimersAsync();
    expect(got).toEqual(wanted);
  });

  test.each([view({ atPrompt: false }), view()])('is kept from the moment when the command is over', async (over) => {
    const { ahead, got } = setUp();
    ahead.sees(view(RUNS));
    await vi.runAllTimersAsync();
    expect(ahead.isOn).toBe(false);
    ahead.sees(over);
    expect(over.atPrompt || ahead.take(key('ls'))).toBe(true);
    ahead.sees(view());
    expect(got).toEqual(['settled', over.atPrompt ? 'composer ' : 'composer ls']);
  });

  test.each([
    ['a line', RUNS, 'git st', ['$ g', '$ git st'], 'git st'],
    ['the end of what a full-screen program got', { ...RUNS, altScreen: true }, 'jjqls', ['$ ', '$ l', '$ ls'], 'ls'],
  ])('comes before the next line where the shell draws it late: %s', async (_, runs, typed, drawn, left) => {
    const { ahead, got } = setUp();
    ahead.sees(view(runs));
    await vi.runAllTimersAsync();
    for (const text of typed) ahead.take(key(text));
    ahead.sees(view());
    await vi.advanceTimersByTimeAsync(0);
    ahead.drawn(() => typed); // the terminal's own echo, before the prompt
    ahead.passed('prompt');
    for (const line of drawn) ahead.drawn(() => line);
    expect(got).toEqual(['settled', 'composer ', 'program \x15', `before ${left}`]);
    ahead.drawn(() => '$ ls');
    expect(got).toHaveLength(4);
  });

  test('is looked for in no line that a command draws before the window knows of the command', async () => {
    const { ahead, got } = setUp();
    ahead.sees(view({ ...RUNS, altScreen: true }));
    await vi.runAllTimersAsync();
    ahead.take(key('q'));
    ahead.sees(view());
    await vi.advanceTimersByTimeAsync(0);
    ahead.passed('prompt');
    ahead.passed('begin');
    ahead.drawn(() => 'password for q');
    expect(got).toEqual(['settled', 'composer ']);
    ahead.passed('end');
    ahead.drawn(() => 'password for q');
    expect(got).toEqual(['settled', 'composer ']);
  });

  test('is looked for in no line that was drawn before it was typed', async () => {
    const { ahead, got } = setUp();
    const line = vi.fn(() => '$ q');
    ahead.sees(view(RUNS));
    await vi.runAllTimersAsync();
    ahead.passed('prompt');
    ahead.drawn(line);
    ahead.take(key('q'));
    ahead.sees(view());
    await vi.advanceTimersByTimeAsync(0);
    expect(line).not.toHaveBeenCalled();
    expect(got).toEqual(['settled', 'composer ']);
  });

  test('is the shell’s where the person types at its own prompt', async () => {
    const { ahead, got } = setUp();
    ahead.sees(view(RUNS));
    await vi.runAllTimersAsync();
    ahead.take(key('q'));
    ahead.sees(view());
    await vi.advanceTimersByTimeAsync(0);
    ahead.passed('prompt');
    ahead.take(key('q'));
    ahead.drawn(() => '$ q');
    expect(got).toEqual(['settled', 'composer ']);
  });

  test('is the next line where no command began, at the prompt after it and not at the one before', () => {
    const { ahead, got } = setUp(view({ atPrompt: false }));
    ahead.take(key('ls'));
    ahead.accepted(false);
    ahead.passed('prompt');
    expect(got).toEqual([]);
    ahead.passed('prompt');
    expect(got).toEqual(['composer ls']);
  });

  test.each([
    ['a program that takes the screen', (ahead: TypedAhead) => ahead.sees(view({ ...RUNS, altScreen: true }))],
    ['a shell that says nothing of its commands', (ahead: TypedAhead) => ahead.accepted(true)],
  ])('%s has it at once', async (_, happens) => {
    const { ahead, got } = setUp();
    ahead.take(key('q'));
    happens(ahead);
    expect(got).toEqual(['settled', 'program q']);
  });
});

/** Times of a simulated terminal, in milliseconds. */
interface Course {
  /** The program reads single keys instead of lines. */
  isByKey: boolean;
  endsMs: number;
  /** Delays from a key to the program, from the program's end to the window, and of the shell's drawing. */
  writeMs: number;
  newsMs: number;
  drawMs: number;
  /** Pause before each letter. */
  pausesMs: number[];
}

const courses: fc.Arbitrary<Course> = fc.record({
  isByKey: fc.boolean(),
  endsMs: fc.integer({ min: 0, max: 1500 }),
  writeMs: fc.integer({ min: 0, max: 300 }),
  newsMs: fc.integer({ min: 0, max: 300 }),
  drawMs: fc.integer({ min: 0, max: 3000 }),
  pausesMs: fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 8 }),
});

/** A terminal whose program, shell, network and window have the delays of a course. */
class SlowTerminal {
  readonly #course: Course;
  readonly ahead = new TypedAhead();
  program = '';
  composer = '';
  /** Input that the program has not read yet. */
  #unread = '';
  #isOver = false;
  #isInComposer = false;

  constructor(course: Course) {
    this.#course = course;
  }

  start(): void {
    const { isByKey, endsMs, newsMs } = this.#course;
    this.ahead.begin(
      {
        settled: () => undefined,
        hasKeys: () => !this.#isInComposer,
        program: async ({ text }) => this.#write(text),
        standsInLine: (text) => new Promise((done) => setTimeout(() => done(this.#drawn.endsWith(text)), 1000)),
        before: (text) => {
          this.composer = text + this.composer;
        },
        composer: (pieces) => {
          this.#isInComposer = true;
          this.composer += pieces.map(({ text }) => text).join('');
        },
        nobody: () => expect.unreachable(),
      },
      view(),
    );
    this.ahead.accepted(false);
    this.ahead.sees(view({ ...RUNS, altScreen: isByKey }));
    setTimeout(() => this.#end(), endsMs);
    setTimeout(() => this.ahead.sees(view()), endsMs + newsMs);
  }

  press(text: string): void {
    if (this.#isInComposer) this.composer += text;
    else if (!this.ahead.take(key(text))) this.#write(text);
  }

  #write(text: string): void {
    setTimeout(() => this.#arrive(text), this.#course.writeMs);
  }

  #arrive(text: string): void {
    if (!this.#isOver && this.#course.isByKey) this.program += text;
    else this.#unread = text === '\x15' ? '' : this.#unread + text;
    if (this.#isOver) this.#draw();
  }

  #end(): void {
    this.#isOver = true;
    setTimeout(() => this.ahead.passed('prompt'), this.#course.drawMs);
    this.#draw();
  }

  #drawn = '';

  #draw(): void {
    const line = `$ ${this.#unread}`;
    setTimeout(() => {
      this.#drawn = line;
      this.ahead.drawn(() => this.#drawn);
    }, this.#course.drawMs);
  }
}

test('each letter arrives once and in order, at the program or in the composer, however slow everything is', async () => {
  vi.useFakeTimers();
  try {
    await fc.assert(
      fc.asyncProperty(courses, async (course) => {
        const terminal = new SlowTerminal(course);
        terminal.start();
        const typed = course.pausesMs.map((_, at) => String.fromCharCode(97 + at)).join('');
        for (const [at, pauseMs] of course.pausesMs.entries()) {
          await vi.advanceTimersByTimeAsync(pauseMs);
          terminal.press(typed.charAt(at));
        }
        await vi.runAllTimersAsync();
        expect(terminal.program + terminal.composer).toBe(typed);
      }),
      { numRuns: 300 },
    );
  } finally {
    vi.useRealTimers();
  }
});
