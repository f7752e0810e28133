import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScreenSnapshot } from '../../../src-main/contract/screen/screenRecord.ts';
import { replaceFile } from '../../../src-main/store/files/replaceFile.ts';
import { ScreenSnapshotFile } from '../../../src-main/store/record/ScreenSnapshotFile.ts';
import { FakeClock } from '../FakeClock.ts';
import { suiteFolder } from '../suiteFolder.ts';

const path = join(suiteFolder('snapshot'), 'screen.snapshot.json');

function snapshot(seq: number): ScreenSnapshot {
  return {
    version: 1,
    rows: [`line ${seq}`],
    cursor: { row: 0, col: 6 },
    title: '',
    alt_screen: false,
    cols: 80,
    rows_count: 24,
    scrollback: [],
    scrollback_total: 0,
    seq,
    screen_epoch: 'e.1',
    hash: '0000000000000000',
    ts: 1_000 + seq,
  };
}

/** A file whose writes the test can hold and release. */
function start() {
  const clock = new FakeClock();
  const state = { seq: 1, ts: 0, written: [] as number[], faults: [] as (string | null)[], refuse: false, taken: 0 };
  let held: (() => void) | null = null;
  const file = new ScreenSnapshotFile('/r/screen.snapshot.json', {
    clock,
    take: async () => {
      state.taken += 1;
      state.ts += 1;
      return { ...snapshot(state.seq), ts: state.ts };
    },
    onFault: (reason) => state.faults.push(reason),
    replace: async (_, data) => {
      if (state.refuse) throw new Error('the disk is full (ENOSPC)');
      if (held) await new Promise<void>((resolve) => (held = resolve));
      state.written.push((JSON.parse(String(data)) as ScreenSnapshot).seq);
    },
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const change = async (seq: number) => {
    state.seq = seq;
    file.touch();
    clock.advance(0);
    await settle();
  };
  return { file, clock, state, settle, change, hold: () => (held = () => undefined), release: () => held?.() };
}

test('writes the first change at once, then what stands four times a second, the last one too', async () => {
  const { clock, state, settle, change } = start();
  for (let seq = 1; seq <= 100; seq += 1) {
    await change(seq);
    clock.advance(10);
    await settle();
  }
  clock.advance(250);
  await settle();
  expect(state.written).toEqual([1, 25, 50, 75, 100]);
  expect(clock.waiting).toBe(0);
});

test('is never rewritten while nothing but the time has changed', async () => {
  const { file, clock, state, settle, change } = start();
  await change(1);
  for (let n = 0; n < 10; n += 1) {
    clock.advance(300);
    await change(1);
  }
  await file.flush();
  await settle();
  expect([state.written, state.taken]).toEqual([[1], 12]);
});

test('a flush writes what stands now, whenever the last write was, and close for the last time', async () => {
  const { file, state, change, clock } = start();
  await change(1);
  state.seq = 2;
  await file.flush();
  state.seq = 3;
  await file.close();
  state.seq = 4;
  file.touch();
  await file.flush();
  expect([state.written, clock.waiting]).toEqual([[1, 2, 3], 0]);
});

test('while a write is under way none other starts, and the newest state follows it', async () => {
  const { clock, state, settle, change, hold, release } = start();
  hold();
  await change(1);
  for (let seq = 2; seq < 30; seq += 1) {
    await change(seq);
    clock.advance(250);
  }
  expect([state.written, state.taken]).toEqual([[], 1]);
  release();
  await settle();
  clock.advance(250);
  await settle();
  release();
  await settle();
  expect(state.written).toEqual([1, 29]);
});

test('a disk that refuses is one fault and is tried again, with what stands then, until it takes it', async () => {
  const { clock, state, settle, change } = start();
  state.refuse = true;
  await change(1);
  for (let n = 0; n < 3; n += 1) {
    clock.advance(5_000);
    await settle();
  }
  state.refuse = false;
  state.seq = 7;
  clock.advance(5_000);
  await settle();
  expect([state.written, new Set(state.faults.slice(0, -1)).size, state.faults.at(-1)]).toEqual([[7], 1, null]);
  expect(clock.waiting).toBe(0);
});

test('a screen that is gone leaves the file as it is', async () => {
  const faults: (string | null)[] = [];
  await replaceFile(path, `${JSON.stringify(snapshot(5))}\n`);
  const file = new ScreenSnapshotFile(path, {
    clock: new FakeClock(),
    take: () => Promise.reject(new Error('The screen was closed')),
    onFault: (reason) => faults.push(reason),
  });
  await file.close();
  expect([ScreenSnapshot.parse(JSON.parse(readFileSync(path, 'utf8'))), faults]).toEqual([snapshot(5), []]);
});
