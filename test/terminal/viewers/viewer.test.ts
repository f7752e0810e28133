import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StreamItem } from '../../../src-main/contract/terminal.ts';
import { LiveStream } from '../../../src-main/terminal/viewers/LiveStream.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';

/** A stream whose state is its offset as text. */
function newStream(startOffset = 0, size = { cols: 80, rows: 24 }): LiveStream {
  const stream: LiveStream = new LiveStream(startOffset, size, async () => ({
    type: 'state',
    offset: stream.end,
    ...size,
    data: String(stream.end),
    beginLine: null,
    promptLine: null,
    runningBlockId: null,
  }));
  return stream;
}

function decode(item: StreamItem): Buffer {
  return item.type === 'bytes' ? Buffer.from(item.data, 'base64') : Buffer.alloc(0);
}

/** Offset and rows that a viewer has shown; throws when a byte is missing or comes twice. */
class Seen {
  offset = 0;
  rows = 0;

  take(item: StreamItem): void {
    if (item.type === 'state') [this.offset, this.rows] = [item.offset, item.rows];
    else if (item.type === 'bytes') {
      expect(item.offset).toBe(this.offset);
      this.offset += decode(item).length;
    } else if (item.type === 'resize') this.rows = item.rows;
    else if (item.type === 'mark') expect(item.offset).toBe(this.offset);
  }
}

/** All items for a viewer that has shown everything before `from`; then its connection ends. */
async function visit(stream: LiveStream, from?: number): Promise<StreamItem[]> {
  const stop = new AbortController();
  const items = stream.view('v', stop.signal, from);
  const got: StreamItem[] = [];
  for (let next = items.next(); ; next = items.next()) {
    const item = await Promise.race([next, sleep(20, null)]);
    if (item === null) break;
    got.push(item.value as StreamItem);
  }
  stop.abort();
  await items.return(undefined);
  return got;
}

describe('a viewer', () => {
  test('gets the state, then every byte from exactly that offset, with each mark in its place (law)', async () => {
    const events = fc.array(
      fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.constantFrom('begin', 'end', 'prompt')),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(events, fc.uint8Array({ maxLength: 50 }), async (later, earlier) => {
        const stream = newStream();
        stream.append(earlier);
        const stop = new AbortController();
        const items = stream.view('v', stop.signal);
        const first = (await items.next()).value as StreamItem;
        expect(first).toMatchObject({ type: 'state', offset: earlier.length });
        const sent: number[] = [];
        const marks: { kind: string; at: number }[] = [];
        for (const event of later) {
          if (typeof event === 'string') {
            stream.mark(stream.end, event as 'begin', null);
            marks.push({ kind: event, at: stream.end });
          } else {
            stream.append(event);
            sent.push(...event);
          }
        }
        const got: number[] = [];
        const seen: { kind: string; at: number }[] = [];
        while (got.length < sent.length || seen.length < marks.length) {
          const item = (await items.next()).value as StreamItem;
          if (item.type === 'bytes') {
            expect(item.offset).toBe(earlier.length + got.length);
            got.push(...decode(item));
            stream.ack('v', item.offset + decode(item).length);
          } else if (item.type === 'mark') seen.push({ kind: item.kind, at: earlier.length + got.length });
        }
        expect(got).toEqual(sent);
        expect(seen).toEqual(marks);
        stop.abort();
        await items.return(undefined);
      }),
      fuzzRuns(50),
    );
  });

  test('that never acknowledges gets a bounded part, and the state when it comes back', async () => {
    const stream = newStream();
    const stop = new AbortController();
    const items = stream.view('slow', stop.signal);
    await items.next();
    for (let n = 0; n < 24; n++) stream.append(new Uint8Array(64 * 1024));
    let got = 0;
    let next = items.next();
    for (;;) {
      const item = (await Promise.race([next, sleep(100, null)]))?.value as StreamItem | undefined;
      if (item === undefined) break;
      got += decode(item).length;
      next = items.next();
    }
    expect(got).toBeLessThan(256 * 1024);
    const waiting = next.then(({ value }) => value as StreamItem);
    for (let n = 0; n < 100; n++) stream.append(new Uint8Array(64 * 1024));
    stream.ack('slow', got);
    expect(await waiting).toMatchObject({ type: 'state', offset: stream.end });
    stop.abort();
    await items.return(undefined);
  });

  test('gets no second state before it has drawn the first, however fast the terminal floods', async () => {
    const stream = newStream();
    const stop = new AbortController();
    const items = stream.view('v', stop.signal);
    await items.next();
    stream.ack('v', 0);
    const mebibyte = new Uint8Array(1024 * 1024);
    for (let n = 0; n < 3; n++) stream.append(mebibyte);
    expect((await items.next()).value).toMatchObject({ type: 'state', offset: 3 * mebibyte.length });
    for (let n = 0; n < 3; n++) stream.append(mebibyte);
    stream.poke();
    const next = items.next();
    expect(await Promise.race([next, sleep(50, 'nothing')])).toBe('nothing');
    stream.ack('v', 3 * mebibyte.length);
    expect((await next).value).toMatchObject({ type: 'state', offset: 6 * mebibyte.length });
    stop.abort();
    await items.return(undefined);
  });

  test('that comes back gets what it missed and nothing else, or the state where that may not be shown (law)', async () => {
    const event = fc.oneof(
      { weight: 6, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 200 }) },
      { weight: 3, arbitrary: fc.constantFrom('begin' as const, 'prompt' as const) },
      { weight: 2, arbitrary: fc.constant('resize' as const) },
      { weight: 1, arbitrary: fc.constant('freeze' as const) },
      { weight: 1, arbitrary: fc.constant('reopen' as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(event, { maxLength: 8 }), { minLength: 2, maxLength: 6 }), async (visits) => {
        let stream = newStream();
        const seen = new Seen();
        let rows = 24;
        let from: number | undefined;
        let start = 0;
        for (const [at, events] of visits.entries()) {
          let isNew = from === undefined || from === start;
          for (const one of events) {
            if (typeof one !== 'string') stream.append(one);
            else if (one === 'resize') {
              rows += 1;
              stream.resized({ cols: 80, rows });
            } else if (one === 'freeze') {
              stream.freeze();
              stream.append(Buffer.from('must not be seen'));
              stream.thaw();
              isNew = true;
            } else if (one === 'reopen') {
              start = stream.end;
              stream = newStream(start, { cols: 80, rows });
              isNew = true;
            } else stream.mark(stream.end, one, `${at}`);
          }
          const items = await visit(stream, from);
          const hasState = items.some(({ type }) => type === 'state');
          expect(hasState).toBe(isNew);
          for (const item of items) seen.take(item);
          expect([seen.offset, seen.rows]).toEqual([stream.end, rows]);
          from = stream.end;
        }
      }),
      fuzzRuns(20),
    );
  });

  test('learns the size that changed while its state was read', async () => {
    const stream = newStream();
    const stop = new AbortController();
    const items = stream.view('v', stop.signal);
    const first = items.next();
    stream.resized({ cols: 100, rows: 30 });
    expect((await first).value).toMatchObject({ type: 'state', cols: 80 });
    expect((await items.next()).value).toEqual({ type: 'resize', cols: 100, rows: 30 });
    stop.abort();
    await items.return(undefined);
  });

  test('hears of the exit once, and of a new start after it', async () => {
    const stream = newStream();
    const stop = new AbortController();
    const items = stream.view('v', stop.signal);
    await items.next();
    stream.append(Buffer.from('bye'));
    stream.exited({ type: 'exit', exitCode: 3, signal: null });
    expect(decode((await items.next()).value as StreamItem).toString()).toBe('bye');
    expect((await items.next()).value).toEqual({ type: 'exit', exitCode: 3, signal: null });
    stream.exited(null);
    stream.append(Buffer.from('again'));
    stream.poke();
    expect(decode((await items.next()).value as StreamItem).toString()).toBe('again');
    stop.abort();
    expect((await items.next()).done).toBe(true);
  });

  test('an acknowledgement of what was never sent counts for nothing', async () => {
    const stream = newStream();
    const stop = new AbortController();
    const items = stream.view('v', stop.signal);
    await items.next();
    stream.ack('v', 1e12);
    stream.append(Buffer.from('x'));
    expect((await items.next()).value).toMatchObject({ type: 'bytes', offset: 0 });
    stop.abort();
    await items.return(undefined);
  });
});
