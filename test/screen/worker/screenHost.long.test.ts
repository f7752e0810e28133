import { afterEach, describe, expect, test } from 'vitest';
import type { RenderedLine } from '../../../src-main/screen/emulator/BlockRenderer.ts';
import { ScreenModel } from '../../../src-main/screen/emulator/ScreenModel.ts';
import type { ScreenDegraded, ScreenHandle, ScreenSpec } from '../../../src-main/screen/worker/ScreenFeed.ts';
import { ScreenHost } from '../../../src-main/screen/worker/ScreenHost.ts';
import { screenState } from '../../support/screenState.ts';

const WORKER = new URL('../../../src-main/terminal/screen/screenWorker.ts', import.meta.url);
const SPEC: ScreenSpec = { cols: 40, rows: 10, scrollbackLines: 100, startOffset: 0 };
const HANG = '\x1b[99999999L'; // takes an emulator without limits minutes

const hosts: ScreenHost[] = [];

function host(options: { unguarded?: boolean } = {}): ScreenHost {
  const made = new ScreenHost({ workerUrl: WORKER, ...options });
  hosts.push(made);
  return made;
}

afterEach(() => {
  for (const made of hosts.splice(0)) made.dispose();
});

/** Writes to a handle and keeps the offset and bytes of the stream, as a terminal does. */
class Writer {
  bytes = Buffer.alloc(0);
  readonly handle: ScreenHandle;

  constructor(screens: ScreenHost, spec: Partial<ScreenSpec> = {}) {
    this.handle = screens.open('t', { ...SPEC, ...spec });
  }

  get end(): number {
    return this.bytes.length;
  }

  print(text: string): void {
    const bytes = Buffer.from(text);
    this.handle.write(bytes, this.end);
    this.bytes = Buffer.concat([this.bytes, bytes]);
  }
}

const textOf = async (handle: ScreenHandle) =>
  (await handle.frame()).rows.map((row) => row.text.trimEnd()).filter(Boolean);

describe('a terminal', () => {
  test('has a state with all that was written before it was asked for', async () => {
    const { handle, ...writer } = Object.assign(new Writer(host()));
    handle.write(Buffer.from('one\r\n\x1b[31mtwo'), 0);
    const { data, offset, cols, rows } = await handle.serialize();
    const viewer = new ScreenModel({ ...SPEC });
    viewer.write(Buffer.from(data));
    expect([offset, cols, rows, viewer.frame().rows[1]?.spans]).toEqual([13, 40, 10, [{ text: 'two', fg: 1 }]]);
    expect(writer.bytes).toHaveLength(0);
  });

  test('keeps the order of bytes, marks and sizes', async () => {
    const writer = new Writer(host());
    writer.print('$ ');
    writer.handle.mark('promptEnd', writer.end);
    writer.print('ls\r\n');
    writer.handle.mark('begin', writer.end);
    writer.print('out');
    expect(await writer.handle.commandText()).toBe('ls');
    writer.handle.resize({ cols: 5, rows: 10 });
    writer.print('put...');
    expect(await textOf(writer.handle)).toEqual(['$ ls', 'outpu', 't...']);
  });

  test('places a mark inside the bytes that were written with it', async () => {
    const writer = new Writer(host());
    writer.print('$ ls\r\nout');
    writer.handle.mark('promptEnd', 2);
    writer.handle.mark('begin', 6);
    expect(await writer.handle.commandText()).toBe('ls');
  });

  test('knows no command when a mark came too late', async () => {
    const writer = new Writer(host());
    writer.print('$ ls');
    await writer.handle.frame();
    writer.handle.mark('promptEnd', 2);
    writer.print('\r\n');
    writer.handle.mark('begin', writer.end);
    expect(await writer.handle.commandText()).toBeNull();
  });

  test('answers queries once', async () => {
    const writer = new Writer(host());
    const replies: string[] = [];
    writer.handle.onReply(({ text, isLate }) => !isLate && replies.push(text));
    writer.handle.setColors({ foreground: '#000000', background: '#ffffff', cursor: '#000000' });
    writer.print('\x1b[6n\x1b]11;?\x07');
    await writer.handle.frame();
    expect(replies).toEqual(['\x1b[1;1R', '\x1b]11;rgb:ffff/ffff/ffff\x1b\\']);
  });

  test('answers no query of a program that has ended before it was read: its shell would take the answer for typed text', async () => {
    const writer = new Writer(host());
    const replies: string[] = [];
    writer.handle.onReply(({ text, isLate }) => !isLate && replies.push(text));
    writer.print('\x1b[6n');
    writer.handle.mark('end', writer.end);
    writer.print('$ \x1b[6n');
    await writer.handle.frame();
    expect(replies).toEqual(['\x1b[1;3R']);
  });

  test('counts what is not parsed yet, and tells when it is', async () => {
    const writer = new Writer(host());
    const drained = new Promise<void>((resolve) => {
      writer.handle.onDrain(resolve);
    });
    writer.print('x'.repeat(2_000_000));
    expect(writer.handle.backlogBytes).toBe(2_000_000);
    await drained;
    await writer.handle.frame();
    expect(writer.handle.backlogBytes).toBe(0);
  });

  test('shows what one emulator shows, however the stream came in', async () => {
    const writer = new Writer(host());
    for (let n = 0; n < 2000; n++)
      writer.print(`line ${n} \x1b[3${n % 8}m漢字…\x1b[m${n % 7 === 0 ? '\x1b[2A' : ''}\r\n`);
    const { data, offset } = await writer.handle.serialize();
    const [viewer, whole] = [new ScreenModel({ ...SPEC }), new ScreenModel({ ...SPEC })];
    viewer.write(Buffer.from(data));
    whole.write(writer.bytes);
    expect(offset).toBe(writer.end);
    expect(screenState(viewer)).toEqual(screenState(whole));
  });

  test('is answered while another one floods', async () => {
    const screens = host();
    const [flood, quiet] = [new Writer(screens), new Writer(screens)];
    flood.print('\x1b[31mx\x1b[m'.repeat(600_000));
    quiet.print('here');
    expect(await textOf(quiet.handle)).toEqual(['here']);
    expect(flood.handle.backlogBytes).toBeGreaterThan(0);
  });

  test('gives a state that ends before a character that is half written', async () => {
    const { handle } = new Writer(host());
    const bytes = Buffer.from('a…b');
    handle.write(bytes.subarray(0, 3), 0);
    const { data, offset } = await handle.serialize();
    const viewer = new ScreenModel({ ...SPEC });
    viewer.write(Buffer.from(data));
    viewer.write(bytes.subarray(offset));
    expect([offset, viewer.frame().rows[0]?.text]).toEqual([1, 'a…b']);
  });

  test('tells whether pastes are to be wrapped', async () => {
    const writer = new Writer(host());
    writer.print('\x1b[?2004h');
    expect(await writer.handle.bracketedPaste()).toBe(true);
  });

  test('refuses questions when it is closed', async () => {
    const { handle } = new Writer(host());
    const asked = handle.frame();
    handle.dispose();
    await expect(asked).rejects.toThrow('closed');
    await expect(handle.frame()).rejects.toThrow('closed');
  });
});

describe('a block', () => {
  test('is rendered in batches', async () => {
    const chunks = Array.from({ length: 30 }, (_, n) => Buffer.from(`${n}\r\n`.repeat(1000)));
    const batches: RenderedLine[][] = [];
    for await (const batch of host().renderBlock({ ...SPEC, startRow: 0, resizes: [], chunks })) batches.push(batch);
    expect(batches.length).toBeGreaterThan(10);
    expect(batches.flat().map((line) => line.text)).toEqual(chunks.flatMap((_, n) => Array(1000).fill(String(n))));
  });
});

describe('an emulator that hangs', () => {
  test.each(['L', 'S', 'T', 'M'])(
    'on CSI 99999999 %s is replaced, and the terminal goes on from what was held',
    async (final) => {
      const writer: Writer = new Writer(host({ unguarded: true }), {
        replayFrom: (offset) => writer.bytes.subarray(offset),
      });
      const degraded: ScreenDegraded[] = [];
      writer.handle.onDegraded((event) => degraded.push(event));
      writer.print('before\r\n');
      await writer.handle.frame();
      const beganMs = performance.now();
      writer.print(`\x1b[99999999${final}`);
      const shown = await textOf(writer.handle);
      expect(performance.now() - beganMs).toBeLessThan(6000);
      writer.print('after');
      expect([shown, await textOf(writer.handle)]).toEqual([['before'], ['before', 'after']]);
      expect(degraded).toEqual([{ offset: 8 + 11, reason: expect.stringContaining('no sign of life') }]);
    },
  );

  test('takes nothing from other terminals, and no query is answered twice', async () => {
    const screens = host({ unguarded: true });
    const other: Writer = new Writer(screens, { replayFrom: (offset) => other.bytes.subarray(offset) });
    const [replies, degraded]: [string[], ScreenDegraded[]] = [[], []];
    other.handle.onReply(({ text }) => replies.push(text));
    other.handle.onDegraded((event) => degraded.push(event));
    other.print('other \x1b[6n');
    await other.handle.frame();
    new Writer(screens).print(HANG);
    other.print('goes on');
    expect(await textOf(other.handle)).toEqual(['other goes on']);
    expect([replies, degraded]).toEqual([['\x1b[1;7R'], []]);
  });

  test('leaves a blank screen that says so when nothing was held', async () => {
    const writer = new Writer(host({ unguarded: true }));
    const degraded: ScreenDegraded[] = [];
    writer.handle.onDegraded((event) => degraded.push(event));
    writer.print('before\r\n');
    await writer.handle.frame();
    writer.print(HANG);
    await writer.handle.frame();
    writer.print('after');
    expect([await textOf(writer.handle), degraded.length, writer.handle.backlogBytes]).toEqual([['after'], 1, 0]);
  });

  test('ends a rendering that is under way with an error', async () => {
    const screens = host({ unguarded: true });
    async function* chunks() {
      yield Buffer.from('a');
      const writer = new Writer(screens);
      writer.print(HANG);
      await writer.handle.frame();
      yield Buffer.from('b');
    }
    const rendering = screens.renderBlock({ ...SPEC, startRow: 0, resizes: [], chunks: chunks() });
    await expect(rendering.next()).rejects.toThrow('replaced');
  });
});

test('a main thread that was blocked for longer than the limit blames no worker', async () => {
  const events: string[] = [];
  const made = new ScreenHost({ workerUrl: WORKER, log: (event) => events.push(event) });
  hosts.push(made);
  const writer = new Writer(made);
  await writer.handle.frame();
  writer.print('text');
  const asked = textOf(writer.handle);
  for (const beganMs = performance.now(); performance.now() - beganMs < 1500; );
  expect([await asked, events]).toEqual([['text'], []]);
});

test('a worker that cannot be started holds up nobody', async () => {
  const made = new ScreenHost({ workerUrl: new URL('./missing.ts', WORKER) });
  hosts.push(made);
  const writer = new Writer(made);
  const gaveUp = new Promise<ScreenDegraded>((resolve) => {
    writer.handle.onDegraded(resolve);
  });
  writer.print('text');
  expect(await gaveUp).toMatchObject({ offset: 4 });
  expect(writer.handle.backlogBytes).toBe(0);
  await expect(writer.handle.frame()).rejects.toThrow('closed');
});
