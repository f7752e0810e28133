import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StreamItem } from '../../../src-main/contract/terminal.ts';
import { StreamFeed, type StreamSink } from '../../../src-renderer/terminal/StreamFeed.ts';

const state = (offset: number): StreamItem => ({
  type: 'state',
  offset,
  cols: 80,
  rows: 24,
  data: `state${offset}`,
  runningBlockId: null,
  beginLine: null,
  promptLine: null,
});
const bytes = (offset: number, text: string): StreamItem => ({ type: 'bytes', offset, data: btoa(text) });

/** An emulator that parses only on request. `log` has its calls in order. */
class SlowEmulator implements StreamSink {
  readonly log: string[] = [];
  readonly #pending: (() => void)[] = [];

  write(data: string | Uint8Array, _offset: number, done: () => void): void {
    const text = typeof data === 'string' ? data : String.fromCharCode(...data);
    this.#pending.push(() => {
      this.log.push(`parsed ${text}`);
      done();
    });
  }
  reset(size: { cols: number; rows: number }): void {
    this.log.push(`reset ${size.cols}x${size.rows}`);
  }
  resize(size: { cols: number; rows: number }): void {
    this.log.push(`resize ${size.cols}x${size.rows}`);
  }
  restored(): void {
    this.log.push('restored');
  }
  mark({ kind }: { kind: string }): void {
    this.log.push(`mark ${kind}`);
  }

  get pending(): number {
    return this.#pending.length;
  }

  /** Parses one write and lets the code that waits for it run. */
  async parseOne(): Promise<void> {
    this.#pending.shift()?.();
    await Promise.resolve();
  }

  async parseAll(): Promise<void> {
    while (this.pending > 0) await this.parseOne();
  }
}

function setUp(): { emulator: SlowEmulator; feed: StreamFeed; acks: number[] } {
  const emulator = new SlowEmulator();
  const acks: number[] = [];
  return { emulator, acks, feed: new StreamFeed(emulator, (offset) => acks.push(offset)) };
}

describe('StreamFeed', () => {
  test('a mark, a resize and a new state wait until everything before them is parsed', async () => {
    const { emulator, feed, acks } = setUp();
    feed.take(state(0));
    feed.take(bytes(0, 'ab'));
    feed.take({ type: 'mark', offset: 2, kind: 'begin', blockId: 'b' });
    feed.take(bytes(2, 'c'));
    feed.take({ type: 'resize', cols: 100, rows: 30 });
    feed.take(bytes(3, 'd'));
    expect(emulator.log).toEqual(['reset 80x24']);
    await emulator.parseAll();
    expect(emulator.log).toEqual([
      'reset 80x24',
      'parsed state0',
      'restored',
      'parsed ab',
      'mark begin',
      'parsed c',
      'resize 100x30',
      'parsed d',
    ]);
    expect(acks).toEqual([0, 2, 3, 4]);
  });

  test('a new state makes what still waits old', async () => {
    const { emulator, feed } = setUp();
    feed.take(state(0));
    feed.take({ type: 'resize', cols: 90, rows: 30 });
    feed.take(bytes(0, 'old'));
    feed.take(state(9));
    await emulator.parseAll();
    expect(emulator.log).toEqual([
      'reset 80x24',
      'parsed state0',
      'restored',
      'reset 80x24',
      'parsed state9',
      'restored',
    ]);
  });

  test('never cuts a character, which xterm 6.0.0 would lose', async () => {
    const { emulator, feed, acks } = setUp();
    feed.take(state(0));
    feed.take(bytes(0, 'a\xe2\x80'));
    feed.take(bytes(3, '\x94b'));
    await emulator.parseAll();
    expect(emulator.log.slice(3)).toEqual(['parsed a', 'parsed \xe2\x80\x94b']);
    expect(acks).toEqual([0, 3, 5]);
  });

  test('after it is closed nothing is written or acknowledged', async () => {
    const { emulator, feed, acks } = setUp();
    feed.take(state(0));
    feed.close();
    feed.take(bytes(0, 'late'));
    await emulator.parseAll();
    expect([emulator.log, acks]).toEqual([['reset 80x24', 'parsed state0'], []]);
  });

  test('whenever the emulator parses, the order is the order of the stream and acknowledgements only grow', async () => {
    const kind = fc.constantFrom('bytes', 'mark', 'resize', 'parse');
    await fc.assert(
      fc.asyncProperty(fc.array(kind, { maxLength: 30 }), async (kinds) => {
        const { emulator, feed, acks } = setUp();
        const expected = ['reset 80x24', 'parsed state0', 'restored'];
        let offset = 0;
        feed.take(state(0));
        for (const [at, now] of kinds.entries()) {
          if (now === 'parse') await emulator.parseOne();
          else if (now === 'bytes') {
            const text = `<${at}>`;
            feed.take(bytes(offset, text));
            offset += text.length;
            expected.push(`parsed ${text}`);
          } else if (now === 'mark') {
            feed.take({ type: 'mark', offset, kind: 'prompt', blockId: null });
            expected.push('mark prompt');
          } else {
            feed.take({ type: 'resize', cols: at + 2, rows: 5 });
            expected.push(`resize ${at + 2}x5`);
          }
        }
        await emulator.parseAll();
        expect(emulator.log).toEqual(expected);
        expect(acks).toEqual([...acks].sort((a, b) => a - b));
        expect(acks.at(-1)).toBe(offset);
      }),
    );
  });
});
