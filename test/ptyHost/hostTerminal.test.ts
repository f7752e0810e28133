import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { NonceMask } from '../../src-main/events/masks/NonceMask.ts';
import { type Disk, nodeDisk } from '../../src-main/store/files/Disk.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { soon } from '../support/soon.ts';
import { HostedHere, NONCE } from './HostedHere.ts';

const text = fc.oneof(
  { weight: 4, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 5000 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 2, arbitrary: fc.constant(Buffer.from(`\x1b]7717;${NONCE};x\x07`)) },
  { weight: 1, arbitrary: fc.constant(Buffer.from('ZZj0123')) },
);

test('a core that follows the file takes in what the same output gives in its own process, however it is divided', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { maxLength: 12 }),
      fc.array(fc.tuple(fc.integer({ min: 1, max: 9000 }), fc.integer({ min: 0, max: 12 }))),
      async (texts, cuts) => {
        const stream = Buffer.concat(texts);
        const mask = new NonceMask(NONCE);
        const masked = [mask.feed(stream), mask.end()];
        const hosted = new HostedHere();
        let at = 0;
        for (const [length, ms] of [...cuts, [stream.length, 0] as const]) {
          hosted.shell.print(stream.subarray(at, at + length));
          hosted.clock.advance(ms);
          at += length;
        }
        hosted.shell.exit({ exitCode: 0, signal: null });
        const expected = {
          bytes: Buffer.concat(masked.map(({ bytes }) => Buffer.from(bytes))),
          nonceAt: masked.flatMap(({ nonceAt }) => nonceAt),
        };
        expect(hosted.follow()).toEqual(expected);
        expect(hosted.raw.equals(expected.bytes)).toBe(true);
        expect(hosted.told.at(-1)?.message).toMatchObject({ type: 'exited', exitCode: 0, end: expected.bytes.length });
        await hosted.dispose();
      },
    ),
    fuzzRuns(60),
  );
});

/** A disk that refuses writes while `isFull` returns true. */
function fullDisk(isFull: () => boolean): Disk {
  return {
    ...nodeDisk,
    write: (...args) => {
      if (isFull()) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      return nodeDisk.write(...args);
    },
  };
}

test('a core hears what a full disk has lost of a shell before it hears of its end', async () => {
  let isFull = false;
  const hosted = new HostedHere(fullDisk(() => isFull));
  onTestFinished(() => hosted.dispose());
  hosted.shell.print(Buffer.from('a'.repeat(100)));
  isFull = true;
  hosted.shell.print(Buffer.from('lost'));
  hosted.shell.exit({ exitCode: 0, signal: null });
  await soon(() => hosted.told.at(-1)?.message.type).toBe('exited');
  const told = hosted.told.map(({ message }) => message);
  expect(told.filter(({ type }) => type === 'gap' || type === 'exited')).toMatchObject([
    { type: 'gap', gap: { fromOffset: 100, toOffset: 104 } },
    { type: 'exited', end: 104 },
  ]);
});

test('a full disk costs the record and not the screen: the core gets the bytes, and the file keeps every later offset', async () => {
  let isFull = false;
  const hosted = new HostedHere(fullDisk(() => isFull));
  onTestFinished(() => hosted.dispose());
  const print = (letter: string, length: number): void => {
    hosted.shell.print(Buffer.from(letter.repeat(length)));
    hosted.clock.advance(10);
  };
  print('a', 100);
  isFull = true;
  for (let n = 0; n < 40; n += 1) print('b', 64 * 1024); // more than the host keeps until the disk has room
  isFull = false;
  hosted.clock.advance(10_000);
  print('c', 100);
  const shown = hosted.follow().bytes.toString('latin1');
  expect(shown.replace(/(.)\1*/g, '$1')).toBe('abc');
  expect(shown.length).toBe(200 + 40 * 64 * 1024);
  const gap = hosted.told.find(({ message }) => message.type === 'gap')?.message;
  expect(gap).toMatchObject({ type: 'gap', gap: { fromOffset: 100, reason: expect.stringContaining('disk is full') } });
  expect(hosted.told.filter(({ message }) => message.type === 'fault').map(({ message }) => message)).toContainEqual({
    ...{ type: 'fault', id: 't1', file: 'output.raw', reason: null },
  });
  expect(hosted.raw.length).toBe(shown.length);
  expect(hosted.raw.toString('latin1').replace(/(.)\1*/gs, '$1')).toBe('a\0bc');
});

test('a core that comes while the disk is full gets from the host what is not in the file', async () => {
  let isFull = false;
  const hosted = new HostedHere(fullDisk(() => isFull));
  onTestFinished(() => hosted.dispose());
  const print = (text: string): void => {
    hosted.shell.print(Buffer.from(text));
    hosted.clock.advance(10);
  };
  print('on disk');
  isFull = true;
  hosted.hasCore = false;
  hosted.terminal.lostCore(true);
  print(` not \x1b]7717;${NONCE};x\x07yet`);
  expect(hosted.terminal.state).toMatchObject({ keep: 0, refusedFrom: 7, end: 59 });
  hosted.hasCore = true;
  hosted.told.length = 0;
  hosted.terminal.foundCore();
  expect(hosted.told.map(({ message }) => message)).toMatchObject([{ type: 'grew', end: 59, nonceAt: [19] }]);
  const bytes = Buffer.from(hosted.told[0]?.bytes ?? []).toString('latin1');
  expect([bytes.length, bytes.slice(0, 5), bytes.slice(-3)]).toEqual([59 - 7, ' not ', 'yet']);
  hosted.terminal.keepFrom(20);
  expect(hosted.terminal.state).toMatchObject({ keep: 20, refusedFrom: 20 });
});

test('a program is paused only while its core renews the pause', async () => {
  const hosted = new HostedHere();
  onTestFinished(() => hosted.dispose());
  const counts = () => [hosted.shell.paused, hosted.shell.resumed];
  hosted.terminal.pause();
  for (let seconds = 0; seconds < 20; seconds += 4) {
    hosted.clock.advance(4000);
    expect(counts()).toEqual([1, 0]);
    hosted.terminal.pause();
  }
  hosted.terminal.resume();
  hosted.clock.advance(60_000);
  expect(counts()).toEqual([1, 1]);
  hosted.terminal.pause();
  hosted.clock.advance(5000);
  expect(counts()).toEqual([2, 2]);
});

test('without a core a paused program goes on, its queries are answered, and the next core gets what it needs', async () => {
  const hosted = new HostedHere();
  onTestFinished(() => hosted.dispose());
  hosted.terminal.typed('page', 7);
  hosted.shell.print(Buffer.from(`prompt \x1b]7717;${NONCE};x\x07`));
  hosted.terminal.pause();
  hosted.hasCore = false;
  hosted.terminal.lostCore(true);
  hosted.shell.print(Buffer.from('\x1b[c'));
  expect([hosted.shell.paused, hosted.shell.resumed, hosted.shell.typed]).toEqual([1, 1, '\x1b[?62;4;22c']);
  const { length } = hosted.raw;
  expect(hosted.terminal.state).toMatchObject({
    ...{ start: 0, keep: 0, end: length, lostAt: length - 3, nonceAt: [14], typed: { page: 7 }, exit: null },
  });
  hosted.terminal.keepFrom(20);
  expect(hosted.terminal.state).toMatchObject({ keep: 20, nonceAt: [] });
});

test('a later core learns where the output ended when the last key came, and whether it ended a line; an answer to a query is none, nor is a focus report', () => {
  const hosted = new HostedHere();
  onTestFinished(() => hosted.dispose());
  expect(hosted.terminal.state).toMatchObject({ keyedAt: -1, isLineBegun: false });
  hosted.shell.print(Buffer.from('$ '));
  hosted.terminal.resize(80, 24); // the output is on disk now
  hosted.terminal.write(Buffer.from('l'));
  hosted.shell.print(Buffer.from('l'));
  hosted.terminal.resize(80, 24);
  hosted.terminal.write(Buffer.from('\x1b[?62c'), 3);
  expect(hosted.terminal.state).toMatchObject({ end: 3, keyedAt: 2, isLineBegun: true });
  hosted.terminal.write(Buffer.from('\x1b[I'));
  expect(hosted.terminal.state).toMatchObject({ keyedAt: 2, isLineBegun: true });
  hosted.terminal.write(Buffer.from('s\r'));
  expect(hosted.terminal.state).toMatchObject({ keyedAt: 3, isLineBegun: false });
});
