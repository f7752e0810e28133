import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ReplyQueue } from '../../../src-main/agents/ReplyQueue.ts';
import type { TerminalChange } from '../../../src-main/contract/api.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { Emitter } from '../../../src-main/util/Emitter.ts';
import { KeyedQueue } from '../../../src-main/util/KeyedQueue.ts';
import { FakeClock } from '../../support/FakeClock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hansard-replies-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A terminal whose agent accepts each prompt at once, with a reply queue. */
class Bench {
  readonly clock = new FakeClock();
  readonly warnings: string[] = [];
  readonly typed: string[] = [];
  readonly changes = new Emitter<TerminalChange>();
  readonly view: { cols: number; agent: { conversationId: string; state: string } | null } = { cols: 80, agent: null };
  readonly run = { draft: '' };
  /** Number of first characters that the agent drops. */
  drops = 0;
  /** Number of times that the screen can be read; then it fails once. */
  readable = Number.POSITIVE_INFINITY;
  #queue: ReplyQueue | undefined;
  #ids = 0;

  get queue(): ReplyQueue {
    if (!this.#queue) throw new Error('open it first');
    return this.#queue;
  }

  async open(): Promise<this> {
    const terminal = {
      ...{
        id: 't1',
        view: this.view,
        agents: { hasTerminal: true, run: this.run, typed: () => undefined },
        chat: { lines: [] },
      },
      screen: {
        drawn: () => this.#drawn(),
        bracketedPaste: async () => true,
        read: async () => ({ error: 'closed' }),
      },
      input: {
        ...{ keys: { lastMs: null }, isHeld: false, hold: () => undefined, release: () => undefined },
        write: (data: string) => this.#type(data),
      },
    } as unknown as PtyInstance;
    this.#queue = await ReplyQueue.open({
      ...{ dataFolder: folder, clock: this.clock, turns: new KeyedQueue() },
      randomId: () => `r${++this.#ids}`,
      terminals: { onChange: this.changes.on, find: (id) => (id === 't1' ? terminal : undefined) },
      warn: (text) => this.warnings.push(text),
    });
    return this;
  }

  begins(conversationId: string, state = 'idle'): void {
    this.view.agent = { conversationId, state };
    this.clock.advance(1_000);
  }

  get kept(): { conversationId: string; text: string }[] {
    return JSON.parse(readFileSync(join(folder, 'replies.json'), 'utf8')).replies;
  }

  async #drawn(): Promise<void> {
    this.readable -= 1;
    if (this.readable !== -1) return;
    throw new Error('the emulator is being replaced');
  }

  #type(data: string): void {
    this.typed.push(data);
    if (data === '\r') this.run.draft = '';
    else this.run.draft = data.replace(/\x1b\[20[01]~/g, '').slice(this.drops);
    if (data !== '\r') setImmediate(() => this.clock.advance(300));
  }
}

describe('a first prompt', () => {
  test('is on the disk before its agent has started, and is sent once it takes input', async () => {
    const bench = await new Bench().open();
    await bench.queue.addFirst('t1', 'Fix it');
    expect(bench.kept).toMatchObject([{ text: 'Fix it' }]);
    bench.begins('c1', 'starting');
    expect(bench.queue.of('t1', 'c1')).toMatchObject([{ text: 'Fix it', waitsFor: 'turn' }]);
    bench.begins('c1');
    await vi.waitFor(() => expect(bench.typed.join('')).toContain('Fix it'));
    await vi.waitFor(() => expect(bench.kept).toEqual([]));
    bench.queue.dispose();
  });

  test('whose core ended before its agent had started is told with its text, once', async () => {
    const before = await new Bench().open();
    await before.queue.addFirst('t1', 'Fix it\nall');
    before.queue.dispose();
    const after = await new Bench().open();
    expect(after.warnings).toEqual([expect.stringContaining('Fix it\nall')]);
    after.queue.dispose();
    const later = await new Bench().open();
    expect(later.warnings).toEqual([]);
    later.queue.dispose();
  });

  test('for which no agent starts is told with its text, and does not go to a later agent', async () => {
    const bench = await new Bench().open();
    await bench.queue.addFirst('t1', 'Fix it');
    bench.clock.advance(120_000);
    expect(bench.warnings).toEqual([expect.stringContaining('Fix it')]);
    await vi.waitFor(() => expect(bench.kept).toEqual([]));
    bench.begins('c1');
    expect(bench.queue.of('t1', 'c1')).toEqual([]);
    bench.queue.dispose();
  });
});

test('a reply for a conversation that has ended keeps no reply for the next one in its terminal', async () => {
  const old = { id: 'r0', terminalId: 't1', conversationId: 'c0', text: 'Too late', queuedMs: 1 };
  const next = { ...old, id: 'r9', conversationId: 'c1', text: 'In time' };
  writeFileSync(join(folder, 'replies.json'), JSON.stringify({ version: 1, replies: [old, next] }));
  const bench = await new Bench().open();
  bench.begins('c1');
  await vi.waitFor(() => expect(bench.typed.join('')).toContain('In time'));
  await vi.waitFor(() => expect(bench.kept).toEqual([old]));
  expect(bench.typed.join('')).not.toContain('Too late');
  bench.queue.dispose();
});

test.each([
  ['run the tests', 1, false],
  ['run the tests', 4, false],
  ['!ls', 1, true],
  ['run\nthe tests', 4, true], // some agents show only the last line
  ['run the tests', 0, true],
  [`run ${'the tests '.repeat(10)}`, 1, true], // a long text may not be shown whole
])('Return follows %j of which the agent dropped %i characters: %j', async (text, drops, isSent) => {
  const bench = await new Bench().open();
  bench.drops = drops;
  bench.begins('c1');
  expect(await bench.queue.add('t1', text, 'user')).toEqual({ ok: true, sent: true });
  expect(bench.typed.includes('\r')).toBe(isSent);
  if (!isSent) expect(bench.warnings).toEqual([expect.stringContaining('was not seen to take it')]);
  bench.queue.dispose();
});

describe('a screen that cannot be read for a moment', () => {
  test('loses no reply that was not typed', async () => {
    const bench = await new Bench().open();
    bench.begins('c1', 'working');
    await bench.queue.add('t1', 'Go on', 'user');
    bench.readable = 0;
    bench.begins('c1');
    await vi.waitFor(() => expect(bench.readable).toBe(-1));
    await vi.waitFor(() => expect(bench.kept).toMatchObject([{ text: 'Go on' }]));
    expect(bench.typed).toEqual([]);
    bench.clock.advance(1_000);
    await vi.waitFor(() => expect(bench.typed.join('')).toContain('Go on'));
    bench.queue.dispose();
  });

  test('lets no reply be typed twice, and says that it was not seen', async () => {
    const bench = await new Bench().open();
    bench.begins('c1');
    bench.readable = 1;
    expect(await bench.queue.add('t1', 'Go on', 'user')).toEqual({ ok: true, sent: true });
    expect(bench.typed.filter((data) => data.includes('Go on'))).toHaveLength(1);
    expect(bench.warnings).toEqual([expect.stringContaining('was not seen to take it')]);
    expect(bench.queue.of('t1', 'c1')).toEqual([]);
    bench.queue.dispose();
  });
});
