import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { redactRows } from '../../../src-main/redaction/redactRows.ts';
import { ScreenModel } from '../../../src-main/screen/emulator/ScreenModel.ts';
import { ScreenWorkerLoop } from '../../../src-main/screen/worker/ScreenWorkerLoop.ts';
import { type FromWorker, SharedProgress, type StateAnswer } from '../../../src-main/screen/worker/screenProtocol.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { screenState } from '../../support/screenState.ts';

const SIZE = { cols: 20, rows: 5, scrollbackLines: 50 };
const SLOT = 1;
const SPEC = { terminalId: 't', run: 'r', ...SIZE, offset: 0, state: '' };
/** As in FloodSkimmer. */
const HOLD_MS = 150;
/** More than are skimmed from. */
const PIECE_BYTES = 300 * 1024;

/** A worker's loop in this thread: bytes are parsed when `turn` is called, and a timer's when the clock advances. */
class Worker {
  readonly clock = new FakeClock();
  readonly told: FromWorker[] = [];
  #deferred: (() => void)[] = [];
  #bytes = Buffer.alloc(0);
  readonly #loop = new ScreenWorkerLoop({
    post: (message) => this.told.push(message),
    progress: new SharedProgress(new SharedArrayBuffer(SharedProgress.BYTES)),
    clock: this.clock,
    unguarded: false,
    tellRows: redactRows,
    defer: (run) => this.#deferred.push(run),
  });

  constructor() {
    this.#loop.take({ type: 'open', slot: SLOT, spec: SPEC });
  }

  get fed(): number {
    return this.#bytes.length;
  }

  /** Offset up to which the worker has reported bytes as parsed. */
  get parsed(): number {
    return this.told.reduce((end, message) => (message.type === 'parsed' ? message.offset : end), 0);
  }

  feed(bytes: Uint8Array): void {
    this.#loop.take({ type: 'feed', slot: SLOT, offset: this.fed, bytes, marks: [], isReplay: false });
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    this.turn();
  }

  follow(): void {
    this.#loop.take({ type: 'follow', slot: SLOT, isOn: true });
    this.turn();
  }

  turn(): void {
    for (let run = this.#deferred.shift(); run; run = this.#deferred.shift()) run();
  }

  advance(ms: number): void {
    this.clock.advance(ms);
    this.turn();
  }

  /** The screen's state as it is now, and that of an emulator that has parsed the same bytes, those before `offset`. */
  states(): { ours: object; theirs: object; offset: number } {
    this.#loop.take({ type: 'ask', slot: SLOT, call: 1, what: 'serialize' });
    this.turn();
    const answer = this.told.at(-1);
    if (answer?.type !== 'answer') throw new Error(`No answer but ${answer?.type}`);
    const { data, offset } = answer.value as StateAnswer;
    return { ours: stateOf(Buffer.from(data)), theirs: this.#theirs(offset), offset };
  }

  /** The text of the frames that a follower got. */
  frames(): string[] {
    return this.told.flatMap((message) => (message.type === 'delta' ? [JSON.stringify(message.delta)] : []));
  }

  dispose(): void {
    this.#loop.dispose();
  }

  #theirs(end: number): object {
    const model = new ScreenModel(SIZE);
    model.write(this.#bytes.subarray(0, end));
    const state = stateOf(Buffer.from(model.serialize()));
    model.dispose();
    return state;
  }
}

function stateOf(bytes: Uint8Array): object {
  const model = new ScreenModel(SIZE);
  model.write(bytes);
  const state = screenState(model);
  model.dispose();
  return state;
}

/** Numbered lines of one kind, `PIECE_BYTES` or a little more. */
function piece(n: number, line: (n: number) => string): Uint8Array {
  let text = '';
  for (let at = n * 100_000; text.length < PIECE_BYTES; at++) text += line(at);
  return Buffer.from(text);
}

const plain = (n: number) => `line ${n}\r\n`;
const LINES: Readonly<Record<string, (n: number) => string>> = {
  plain,
  coloured: (n) => `\x1b[3${n % 8}mline\x1b[0;1m ${n}\r\n`,
  'without a reset': (n) => `\x1b[3${n % 8};4${n % 5}m${n}\r\n`,
  wide: (n) => `行 ${n} 🙂\r\n`,
  long: (n) => `${n} ${'word '.repeat(30)}\r\n`,
  moved: (n) => (n % 5000 === 77 ? '\x1b[2;3H' : plain(n)),
  asked: (n) => (n % 5000 === 77 ? '\x1b[6n' : plain(n)),
};

/** A stream of lines, cut regardless of them into `count` pieces. */
function pieces(count: number, line: (n: number) => string): Uint8Array[] {
  const stream = Buffer.concat(Array.from({ length: count }, (_, n) => piece(n, line)));
  const bytes = Math.floor(stream.length / count);
  return Array.from({ length: count }, (_, n) => stream.subarray(n * bytes, (n + 1) * bytes));
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom(...Object.keys(LINES)), cut: fc.integer({ min: 0, max: 20 }) }),
  },
  { weight: 1, arbitrary: fc.record({ text: fc.constantFrom('$ ', '\x1b[31m', 'é', '\x1b[?1049h', '\x1b[?1049l') }) },
  { weight: 3, arbitrary: fc.record({ ms: fc.integer({ min: 1, max: 200 }) }) },
  { weight: 1, arbitrary: fc.constant({ asks: true }) },
);

function expectSame(worker: Worker): void {
  const { ours, theirs, offset } = worker.states();
  expect(worker.fed - offset).toBeLessThan(4); // bytes of a character that is cut off
  expect(ours).toEqual(theirs);
}

describe('the last lines of a flood that wait for more of it', () => {
  test('give the screen that parsing everything gives, whenever it is asked for', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 10 }), (steps) => {
        const worker = new Worker();
        let rest = new Uint8Array(0);
        for (const [n, one] of steps.entries()) {
          if ('kind' in one) {
            const bytes = Buffer.concat([rest, piece(n, LINES[one.kind] ?? plain)]);
            rest = bytes.subarray(bytes.length - one.cut);
            worker.feed(bytes.subarray(0, bytes.length - one.cut));
          } else if ('text' in one) worker.feed(Buffer.from(one.text));
          else if ('ms' in one) worker.advance(one.ms);
          else expectSame(worker);
          expect(worker.parsed).toBe(worker.fed); // so that the program may print more
        }
        expectSame(worker);
        worker.dispose();
      }),
      fuzzRuns(40),
    );
  });

  test('are parsed after a moment without a reader, and a follower sees whole screens only', () => {
    const worker = new Worker();
    worker.follow();
    for (let n = 0; n < 5; n++) {
      worker.feed(piece(n, plain));
      worker.advance(20);
    }
    const before = worker.frames().length;
    worker.advance(HOLD_MS);
    worker.advance(HOLD_MS);
    const frames = worker.frames();
    expect(frames.length).toBeGreaterThan(before);
    const last = Buffer.from(piece(4, plain)).toString().trimEnd().split('\r\n').at(-1);
    expect(frames.at(-1)).toContain(last);
    expect(frames.slice(1).filter((frame) => !frame.includes('line '))).toEqual([]);
    worker.dispose();
  });

  test.each(['plain', 'coloured', 'wide'])(
    'are parsed about seven times a second, however many pieces come: %s',
    (kind) => {
      const line = LINES[kind] ?? plain;
      const worker = new Worker();
      const written = vi.spyOn(ScreenModel.prototype, 'write');
      for (const bytes of pieces(50, line)) {
        worker.feed(bytes);
        worker.advance(20);
      }
      const bytes = written.mock.calls.reduce((sum, [part]) => sum + part.length, 0);
      written.mockRestore();
      worker.dispose();
      // and one line more, which ends the character or sequence in which a piece was cut
      const kept = (SIZE.rows + SIZE.scrollbackLines + 2) * Buffer.from(line(5_000_000)).length + 2 * SIZE.rows;
      expect(bytes).toBeLessThanOrEqual(Math.ceil(1000 / HOLD_MS + 1) * kept);
    },
  );

  test('are parsed at once where a query among them waits for its answer', () => {
    const worker = new Worker();
    worker.feed(piece(0, plain));
    worker.feed(piece(1, plain));
    worker.feed(Buffer.concat([piece(2, plain), Buffer.from('\x1b[6n')]));
    expect(worker.told.filter(({ type }) => type === 'reply')).toHaveLength(1);
    worker.dispose();
  });
});
