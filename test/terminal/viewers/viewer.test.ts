import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StreamItem } from '../../../src-main/contract/terminal.ts';
import { LiveStream } from '../../../src-main/terminal/viewers/LiveStream.ts';
import { MAX_UNACKED_BYTES } from '../../../src-main/terminal/viewers/Viewer.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';

/** A stream whose state is the offset itself, as text. */
function newStream(): LiveStream {
  const stream: LiveStream = new LiveStream(0, { cols: 80, rows: 24 }, async () => ({
    type: 'state',
    offset: stream.end,
    cols: 80,
    rows: 24,
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
    let item: StreamItem;
    do {
      item = (await items.next()).value as StreamItem;
      got += decode(item).length;
    } while (got <= MAX_UNACKED_BYTES);
    let isMore = false;
    const waiting = items.next().then((next) => {
      isMore = true;
      return next.value as StreamItem;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isMore, 'nothing more is sent').toBe(false);
    for (let n = 0; n < 100; n++) stream.append(new Uint8Array(64 * 1024));
    stream.ack('slow', got);
    expect(await waiting).toMatchObject({ type: 'state', offset: stream.end });
    stop.abort();
    await items.return(undefined);
  });

  test('learns the size that changed while its state was read', async () => {
    const stream = newStream();
    const stop = new AbortController();
    const items = stream.view('v', stop.signal);
    const first = items.next();
    stream.resized(100, 30);
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
