import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { type FoldedScreen, foldDelta, foldDeltas, keyframeFrom } from '../../../src-main/contract/screen/foldDelta.ts';
import type { ScreenClosed, StreamedDelta } from '../../../src-main/contract/screen/screen.ts';
import type { ScreenDelta } from '../../../src-main/contract/screen/screenRecord.ts';
import { DeltaQueue, MAX_WAITING_DELTAS } from '../../../src-main/terminal/screen/DeltaQueue.ts';
import { DeltaStreams, MAX_UNACKNOWLEDGED_DELTAS } from '../../../src-main/terminal/screen/DeltaStreams.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { begin, runCommand, TestCore } from '../../support/TestCore.ts';
import { FakeScreen } from './FakeScreen.ts';

/** Folds a stream as a client does. With `isSlow`, it acknowledges only when the test calls `ack`. */
class Reader {
  screen: FoldedScreen | null = null;
  last: StreamedDelta | null = null;
  count = 0;
  keyframes = 0;
  readonly #streams: DeltaStreams;
  readonly #name: string;
  readonly #stop = new AbortController();
  readonly #closing = new AbortController();
  end: ScreenClosed | null = null;
  readonly #ended: Promise<void>;

  constructor(
    streams: DeltaStreams,
    { id, screen, closed }: Omit<Parameters<DeltaStreams['follow']>[0], 'closed'> & { closed?: AbortSignal },
    { name = 'r', isSlow = false } = {},
  ) {
    this.#streams = streams;
    this.#name = name;
    const of = { id, screen, closed: closed ?? this.#closing.signal };
    this.#ended = this.#read(streams.follow(of, name, this.#stop.signal), isSlow);
  }

  ack(): void {
    this.#streams.ack(this.#name, this.count);
  }

  /** Closes the terminal, and resolves when the stream has ended. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#ended;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  async #read(deltas: AsyncGenerator<StreamedDelta | ScreenClosed>, isSlow: boolean): Promise<void> {
    for await (const delta of deltas) {
      if (delta.type === 'screen_closed') {
        this.end = delta;
        continue;
      }
      this.screen = foldDelta(this.screen, delta);
      this.last = delta;
      this.count += 1;
      this.keyframes += delta.keyframe ? 1 : 0;
      if (!isSlow) this.ack();
    }
  }
}

/** The deltas of a screen that shows these rows one after the other. */
function deltasOf(shown: readonly (readonly string[])[]): ScreenDelta[] {
  const screen = new FakeScreen();
  const deltas: ScreenDelta[] = [];
  screen.follow((delta) => deltas.push(delta));
  for (const rows of shown) screen.show(rows);
  return deltas;
}

test.each([false, true])(
  'a stream ends with what was left and a last message when its terminal closes (slow reader: %s)',
  async (isSlow) => {
    const screen = new FakeScreen();
    const reader = new Reader(new DeltaStreams(), { id: 't1', screen }, { isSlow });
    const rows = Array.from({ length: 30 }, (_, n) => [`row ${n}`]);
    for (const shown of rows) screen.show(shown);
    await reader.close();
    expect(reader.screen).toEqual(foldDeltas(deltasOf(rows)));
    expect(reader.end).toEqual({ type: 'screen_closed', pty_id: 't1', n: reader.count + 1 });
  },
);

describe('deltas that wait for a reader', () => {
  const rows = fc.array(fc.string({ maxLength: 8 }), { maxLength: 5 });

  test('fold to the screen, however late and in whatever portions the reader takes them (law)', () => {
    fc.assert(
      fc.property(fc.array(rows, { maxLength: 300 }), fc.array(fc.nat({ max: 150 })), (shown, portions) => {
        const deltas = deltasOf(shown);
        const queue = new DeltaQueue();
        let screen: FoldedScreen | null = null;
        const take = (count: number): void => {
          for (let n = 0; n < count; n += 1) {
            const delta = queue.take();
            if (!delta) return;
            screen = foldDelta(screen, delta);
          }
        };
        for (const [at, delta] of deltas.entries()) {
          queue.push(delta);
          expect(queue.length).toBeLessThanOrEqual(MAX_WAITING_DELTAS);
          if (at % 7 === 0) take(portions[at % (portions.length || 1)] ?? 0);
        }
        take(Number.POSITIVE_INFINITY);
        expect(screen).toEqual(foldDeltas(deltas));
      }),
      fuzzRuns(100),
    );
  });

  test('a keyframe that was made of a screen folds to it (law)', () => {
    fc.assert(
      fc.property(fc.array(rows, { minLength: 1, maxLength: 20 }), (shown) => {
        const screen = foldDeltas(deltasOf(shown));
        if (!screen) throw new Error('no screen');
        expect(foldDeltas([keyframeFrom(screen)])).toEqual(screen);
      }),
      fuzzRuns(200),
    );
  });
});

describe('a screen that is followed', () => {
  const cores: TestCore[] = [];
  const readers: Reader[] = [];

  afterEach(async () => {
    for (const reader of readers.splice(0)) await reader.stop();
    for (const core of cores.splice(0)) await core.dispose();
  });

  function read(...of: ConstructorParameters<typeof Reader>): Reader {
    const reader = new Reader(...of);
    readers.push(reader);
    return reader;
  }

  test('gives every reader the same screen: quick, slow, and one that comes back', async () => {
    const core = await TestCore.start();
    cores.push(core);
    const terminal = await core.open();
    const { deltaStreams } = core.core;
    const quick = read(deltaStreams, terminal, { name: 'quick' });
    const slow = read(deltaStreams, terminal, { name: 'slow', isSlow: true });
    const first = read(deltaStreams, terminal, { name: 'comes back' });
    await begin(terminal, 'for i in $(seq 1 60); do printf "%s é日 %s\\r\\n" $i $RANDOM; sleep 0.05; done; tput smcup');
    await expect.poll(() => first.count).toBeGreaterThan(5);
    await first.stop();
    const again = read(deltaStreams, terminal, { name: 'comes back' });
    await expect.poll(() => terminal.view.altScreen && terminal.view.atPrompt).toBe(true);
    await runCommand(terminal, 'printf "the end\\r\\n"');
    expect(slow.count).toBeLessThanOrEqual(MAX_UNACKNOWLEDGED_DELTAS);
    await expect
      .poll(async () => {
        slow.ack();
        const { rows, seq } = await terminal.screen.snapshot();
        return [quick, slow, again].every(
          ({ screen }) => screen?.seq === seq && screen.rows.map(({ text }) => text).join() === rows.join(),
        );
      })
      .toBe(true);
    expect(quick.last).toMatchObject({ type: 'screen_delta', pty_id: terminal.id });
    expect(again.keyframes).toBeGreaterThan(0);
  });

  test('never has more under way to a reader than it may, and then one keyframe in place of the backlog', async () => {
    const screen = new FakeScreen();
    const streams = new DeltaStreams();
    const slow = read(streams, { id: 't1', screen }, { isSlow: true });
    for (let n = 0; n < 30; n += 1) screen.show([`row ${n}`, 'stays']);
    await expect.poll(() => slow.count).toBe(MAX_UNACKNOWLEDGED_DELTAS);
    for (let n = 30; n < 500; n += 1) screen.show([`row ${n}`, 'stays']);
    expect(slow.count).toBe(MAX_UNACKNOWLEDGED_DELTAS);
    await expect
      .poll(() => {
        slow.ack();
        return slow.screen?.rows[0]?.text;
      })
      .toBe('row 499');
    expect(slow.count).toBeLessThanOrEqual(MAX_UNACKNOWLEDGED_DELTAS + MAX_WAITING_DELTAS);
    expect(slow.keyframes).toBe(2);
    expect(slow.screen?.rows.map(({ text }) => text)).toEqual(['row 499', 'stays', '', '', '']);
  });
});
