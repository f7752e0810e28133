import { afterEach, describe, expect, test } from 'vitest';
import { ScreenQuery, type ScreenReading, WaitQuery, type WaitResult } from '../../src-main/contract/screen/screen.ts';
import type { ScreenHost } from '../../src-main/screen/worker/ScreenHost.ts';
import { ScreenWriter, screenHost, turns } from '../support/ScreenWriter.ts';

const hosts: ScreenHost[] = [];

afterEach(() => {
  for (const made of hosts.splice(0)) made.dispose();
});

function writer(
  options: Parameters<typeof screenHost>[0] = {},
  spec: ConstructorParameters<typeof ScreenWriter>[1] = {},
) {
  const made = screenHost(options);
  hosts.push(made);
  return new ScreenWriter(made, spec);
}

const query = (...conditions: object[]) => WaitQuery.parse({ conditions });
const match = (pattern: string, rest: object = {}) =>
  WaitQuery.parse({ conditions: [{ type: 'match', pattern }], ...rest });

async function read({ screen }: ScreenWriter, wanted: object = {}): Promise<ScreenReading> {
  const reading = await screen.read(ScreenQuery.parse(wanted));
  if ('error' in reading) throw new Error(`seq ${reading.seq}`);
  return reading;
}

async function wait({ screen }: ScreenWriter, wanted: WaitQuery): Promise<WaitResult> {
  const result = await screen.wait(wanted);
  if ('error' in result) throw new Error(`seq ${result.seq}`);
  return result;
}

const text = (reading: ScreenReading | null) => (reading?.full ? reading.frame.rows.map((row) => row.text) : null);

describe('a reading', () => {
  test('is the frame at first, then what changed since', async () => {
    const own = writer();
    own.print('one\r\ntwo\r\n');
    const first = await read(own);
    own.print('three');
    const second = await read(own, { since: first.seq, epoch: first.epoch });
    expect(first).toMatchObject({ full: true, reason: 'first', terminalId: 't', source: 'live', seq: 1 });
    expect(second).toMatchObject({ full: false, seq: 2, diff: { added: [{ row: 2, line: { text: 'three' } }] } });
    expect(second.hash).not.toBe(first.hash);
  });

  test('tells the cursor though it only moved in its row, which is no other frame', async () => {
    const own = writer();
    own.print('word');
    const { seq } = await read(own);
    own.print('\x1b[2D\x1b[?25l');
    const reading = await read(own, { since: seq });
    expect(reading).toMatchObject({
      seq,
      full: false,
      diff: { cursor: { row: 0, col: 2, visible: false }, changed: [] },
    });
  });

  test('holds the rows above the screen that were asked for', async () => {
    const own = writer();
    own.print(Array.from({ length: 20 }, (_, n) => `line ${n}`).join('\r\n'));
    const { scrollback } = await read(own, { scrollback: 3 });
    expect(scrollback.map((row) => row.text)).toEqual(['line 7', 'line 8', 'line 9']);
  });

  test('tells a reader that is ahead of the screen that it is', async () => {
    const own = writer();
    expect(await own.screen.read(ScreenQuery.parse({ since: 99 }))).toEqual({ error: 'seq-mismatch', seq: 1 });
    expect(await own.screen.wait(match('x', { since: 99 }))).toEqual({ error: 'seq-mismatch', seq: 1 });
  });

  test('is of an epoch of its own for each emulator and after each reset', async () => {
    const [one, two] = [writer(), writer()];
    const epochs = [(await read(one)).epoch, (await read(two)).epoch];
    one.print('\x1bc');
    const after = await read(one, { since: 1, epoch: epochs[0] });
    expect(new Set([...epochs, after.epoch]).size).toBe(3);
    expect(after).toMatchObject({ full: true, reason: 'epoch-changed' });
  });
});

describe('a wait', () => {
  test('is met by what is printed later, with the frame in which it stands', async () => {
    const own = writer();
    own.print('$ make\r\n');
    const waited = wait(own, match('do(n)e'));
    await turns(20);
    own.print('work\r\ndone\r\n');
    expect(await waited).toMatchObject({
      outcome: 'met',
      met: [0],
      match: { text: 'done', groups: ['n'], row: 2, col: 0 },
      reading: { full: true, reason: 'first' },
    });
    expect(text((await waited).reading)?.slice(0, 3)).toEqual(['$ make', 'work', 'done']);
  });

  test('sees what was printed before it began but after the frame that the reader knows', async () => {
    const own = writer();
    own.print('done\r\n');
    const { seq, epoch } = await read(own);
    own.print('x\r\n');
    expect(await wait(own, match('done', { since: seq, epoch, timeoutMs: 0 }))).toMatchObject({ outcome: 'deadline' });
    own.print('done\r\n');
    const met = await wait(own, match('done', { since: seq, epoch, timeoutMs: 0 }));
    expect(met).toMatchObject({ outcome: 'met', match: { row: 2 }, reading: { full: false, diff: { fromSeq: seq } } });
  });

  test('sees each line of a flood once, however far it has scrolled off', async () => {
    const own = writer();
    own.print('$ seq\r\n');
    let { seq, epoch } = await read(own);
    let resume: object | undefined;
    own.print(Array.from({ length: 60 }, (_, n) => `tick ${n}\r\n`).join(''));
    const seen: string[] = [];
    for (let n = 0; n < 60; n++) {
      const { match: found } = await wait(
        own,
        match('tick \\d+', { since: seq, epoch, timeoutMs: 0, ...(resume && { resume }) }),
      );
      if (!found) break;
      seen.push(found.text);
      resume = found.resume;
      seq = found.resume.seq;
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => `tick ${n}`));
  });

  test('is met by one line in the middle of 20 MB that fly by', async () => {
    const own = writer();
    const waited = wait(own, match('needle \\d'));
    await turns(5);
    const line = `${'hay '.repeat(9)}\r\n`;
    const half = Buffer.from(line.repeat(10_000_000 / line.length));
    own.print(Buffer.concat([half, Buffer.from('needle 7\r\n'), half]));
    expect(await waited).toMatchObject({ outcome: 'met', match: { text: 'needle 7', row: expect.any(Number) } });
  });

  test('for stillness is met when output pauses, not while it comes', async () => {
    const own = writer();
    own.print('a');
    await read(own);
    const waited = wait(own, query({ type: 'stable', ms: 120 }));
    for (let n = 0; n < 6; n++) {
      own.print(`${n}`);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    const result = await waited;
    expect(result.outcome).toBe('met');
    expect(text(result.reading)?.[0]).toBe('a012345');
    expect(result.waitedMs).toBeGreaterThan(200);
  });

  test('is over in time under a flood that never ends', async () => {
    const own = writer();
    await read(own);
    const waited = wait(own, match('never', { timeoutMs: 300 }));
    let isOver = false;
    void waited.then(() => {
      isOver = true;
    });
    for (let n = 0; !isOver; n++) {
      if (own.screen.backlogBytes < 1_000_000) own.print(`line ${n}\r\n`.repeat(3000));
      await turns(1);
    }
    const { outcome, waitedMs } = await waited;
    expect(outcome).toBe('deadline');
    expect(waitedMs).toBeGreaterThanOrEqual(300);
    expect(waitedMs).toBeLessThan(1500); // tolerance for other load
  });

  test('for the end of a command gives the frame of that very place', async () => {
    const own = writer();
    own.screen.mark('begin', 0);
    const waited = wait(own, query({ type: 'block-end' }));
    await turns(10);
    own.print('output\r\n');
    own.screen.mark('end', own.end);
    own.screen.mark('prompt', own.end);
    own.print('$ next prompt');
    expect(text((await waited).reading)?.slice(0, 2)).toEqual(['output', '']);
  });

  test('for the end of a command sees one between the frame that the reader knows and the wait, and none before', async () => {
    const own = writer();
    own.print('output');
    own.screen.mark('end', own.end);
    const { seq } = await read(own);
    const ends = { conditions: [{ type: 'block-end' }], since: seq, timeoutMs: 0 };
    expect((await wait(own, WaitQuery.parse(ends))).outcome).toBe('deadline');
    own.screen.mark('end', own.end);
    expect((await wait(own, WaitQuery.parse(ends))).outcome).toBe('met');
  });

  test('for the prompt is met at the prompt, and not once a command has begun', async () => {
    const own = writer();
    const atPrompt = { conditions: [{ type: 'prompt' }], timeoutMs: 0 };
    own.screen.mark('prompt', 0);
    own.print('$ ');
    expect((await wait(own, WaitQuery.parse(atPrompt))).outcome).toBe('met');
    const { seq } = await read(own);
    expect((await wait(own, WaitQuery.parse({ ...atPrompt, since: seq }))).outcome).toBe('deadline');
    own.screen.mark('begin', own.end);
    expect((await wait(own, WaitQuery.parse(atPrompt))).outcome).toBe('deadline');
  });

  test('is ended by the exit, with its code, and so is one that begins after it', async () => {
    const own = writer();
    const waited = wait(own, match('never'));
    await turns(10);
    own.print('last words');
    own.screen.exited({ exitCode: 3, signal: null });
    const result = await waited;
    expect(result).toMatchObject({ outcome: 'exited', exit: { exitCode: 3, signal: null } });
    expect(text(result.reading)?.[0]).toBe('last words');
    expect((await wait(own, match('never'))).outcome).toBe('exited');
    own.screen.exited(null);
    expect((await wait(own, match('never', { timeoutMs: 0 }))).outcome).toBe('deadline');
  });

  test('sees nothing of a synchronized update before its end', async () => {
    const own = writer();
    own.print('before');
    const waited = wait(own, match('during|whole'));
    await turns(10);
    own.print('\x1b[?2026h\x1b[Hduring');
    await turns(20);
    own.print('\x1b[Hwhole \x1b[?2026l');
    expect((await waited).match?.text).toBe('whole');
  });

  test('goes on when a synchronized update never ends', async () => {
    const own = writer();
    const waited = wait(own, match('during'));
    await turns(10);
    own.print('\x1b[?2026h\x1b[Hduring');
    const { outcome, waitedMs } = await waited;
    expect(outcome).toBe('met');
    expect(waitedMs).toBeGreaterThanOrEqual(240);
  });

  test('is stopped by an abort, also in the worker', async () => {
    const own = writer();
    const abort = new AbortController();
    const slow = WaitQuery.parse({ conditions: [{ type: 'match', pattern: '^(a+)+$' }] });
    const waited = own.screen.wait(slow, abort.signal);
    await turns(10);
    abort.abort(new Error('left'));
    await expect(waited).rejects.toThrow('left');
    await expect(own.screen.wait(slow, abort.signal)).rejects.toThrow('left');
    const again = wait(own, match('never', { timeoutMs: 50 }));
    own.print(`${'a'.repeat(35)}!`);
    expect((await again).outcome).toBe('deadline');
  });

  test('with a pattern that runs away ends, and the screen goes on', async () => {
    const own = writer();
    const waited = wait(own, match('^(a+)+$'));
    own.print(`${'a'.repeat(39)}!`);
    expect(await waited).toMatchObject({ outcome: 'slow-pattern', reason: expect.stringContaining('50 ms') });
    expect(text(await read(own))?.[0]).toHaveLength(40);
  });

  test('is gone with its screen', async () => {
    const own = writer();
    const waited = wait(own, match('never'));
    await turns(10);
    own.screen.dispose();
    expect(await waited).toMatchObject({ outcome: 'gone', reading: null });
  });

  test('goes on after the worker was replaced, in an epoch of its own', async () => {
    const own: ScreenWriter = writer({ unguarded: true }, { replayFrom: (offset) => own.bytes.subarray(offset) });
    own.print('before\r\n');
    const { epoch } = await read(own);
    const waited = wait(own, match('after|before'));
    await turns(10);
    own.print('\x1b[99999999L');
    expect((await read(own)).epoch).not.toBe(epoch);
    own.print('after');
    expect(await waited).toMatchObject({ outcome: 'met', match: { text: 'after' } });
  });

  test('sees what was printed between its begin and the end of the worker, and nothing older', async () => {
    const own: ScreenWriter = writer({ unguarded: true }, { replayFrom: (offset) => own.bytes.subarray(offset) });
    own.print('old word\r\n');
    const waited = wait(own, match('(\\w+) word', { timeoutMs: 10_000 }));
    await turns(10);
    own.print('new word\r\n');
    own.screen.mark('promptEnd', own.end); // so that the worker parses the hanging bytes alone, before it checks the wait
    own.print('\x1b[99999999L');
    expect(await waited).toMatchObject({ outcome: 'met', match: { text: 'new word' } });
  });

  test('for a command and its prompt sees marks that the worker took with it', async () => {
    const own: ScreenWriter = writer({ unguarded: true }, { replayFrom: (offset) => own.bytes.subarray(offset) });
    own.screen.mark('begin', 0);
    const both = WaitQuery.parse({ mode: 'all', conditions: [{ type: 'block-end' }, { type: 'prompt' }] });
    const waited = wait(own, both);
    await turns(10);
    own.print('\x1b[99999999L');
    own.print('out\r\n');
    own.screen.mark('end', own.end);
    own.screen.mark('prompt', own.end);
    expect((await waited).outcome).toBe('met');
  });

  test('keeps its deadline when the worker is replaced', async () => {
    const own: ScreenWriter = writer({ unguarded: true }, { replayFrom: (offset) => own.bytes.subarray(offset) });
    await read(own);
    const waited = wait(own, match('never', { timeoutMs: 2500 }));
    await turns(10);
    own.print('\x1b[99999999L');
    const { outcome, waitedMs } = await waited;
    expect(outcome).toBe('deadline');
    expect(waitedMs).toBeLessThan(4500);
  });

  test('a thousand at a time cost nothing when they are over', async () => {
    const own = writer();
    const all = Array.from({ length: 1000 }, (_, n) =>
      wait(own, match(n % 2 ? 'met' : 'never', { timeoutMs: 60_000 })),
    );
    await turns(10);
    own.print('met\r\n');
    own.screen.exited({ exitCode: 0, signal: null });
    const outcomes = (await Promise.all(all)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(Array.from({ length: 1000 }, (_, n) => (n % 2 ? 'met' : 'exited')));
  });
});

describe('a wait for an agent', () => {
  const idle = { type: 'agent', states: ['idle'] };

  test('is met by its state, with all the rest at one moment', async () => {
    const own = writer();
    own.screen.agent('idle');
    own.print('ready');
    const both = WaitQuery.parse({
      conditions: [idle, { type: 'match', pattern: 'ready', scope: 'screen' }],
      mode: 'all',
    });
    expect((await wait(own, both)).met).toEqual([0, 1]);
    own.screen.agent('working');
    expect((await wait(own, { ...both, timeoutMs: 0 })).outcome).toBe('deadline');
    const waiting = wait(own, both);
    await turns(3);
    own.screen.agent('idle');
    expect((await waiting).outcome).toBe('met');
  });

  test('a difference brings its frame along for those who ask', async () => {
    const own = writer();
    own.print('one\r\n');
    const { seq } = await read(own);
    own.print('two');
    expect(await read(own, { since: seq, withFrame: true })).toMatchObject({
      full: false,
      frame: { rows: expect.arrayContaining([expect.objectContaining({ text: 'one' })]) },
    });
    expect(await read(own, { since: seq })).not.toHaveProperty('frame');
  });
});
