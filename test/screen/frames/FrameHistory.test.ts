import { describe, expect, test } from 'vitest';
import type { Frame } from '../../../src-main/contract/screen/frame.ts';
import { FrameHistory } from '../../../src-main/screen/frames/FrameHistory.ts';
import { Fnv64, frameHash } from '../../../src-main/screen/frames/frameHash.ts';
import { frameOf, rowOf } from '../../support/frames.ts';

const told = (frame: Frame) => ({ frame, atMs: 0, scrolled: 0, uncounted: 0, ends: 0, prompts: 0 });
const frame = (seq: number, rows: readonly string[] = [`line ${seq}`, 'a', 'b', 'c', 'd']) => frameOf(rows, { seq });

describe('a reader is told', () => {
  const history = new FrameHistory();
  for (const seq of [3, 4, 5]) history.push(told(frame(seq)));
  const latest = frame(5);

  test.each([
    ['the frame when it knows none', {}, { full: true, reason: 'first' }],
    ['the difference to a frame that is held', { since: 4 }, { full: false, diff: { fromSeq: 4, toSeq: 5 } }],
    ['the difference in its epoch', { since: 4, epoch: 'e.0' }, { full: false }],
    ['the frame when the epoch is another one', { since: 4, epoch: 'e.1' }, { full: true, reason: 'epoch-changed' }],
    ['the frame when it names one that nobody was given', { since: 2 }, { full: true, reason: 'unknown-frame' }],
    ['that it knows a frame that never was', { since: 6 }, { error: 'seq-mismatch', seq: 5 }],
    ['nothing new when nothing is', { since: 5 }, { full: false, diff: { changed: [], added: [], removed: [] } }],
  ])('%s', (_, query, answer) => {
    expect(history.answer(query, latest, 'e.0')).toMatchObject(answer);
  });

  test('the frame when the difference is large', () => {
    const other = frameOf(['v', 'w', 'x', 'y', 'z'], { seq: 6 });
    expect(history.answer({ since: 5 }, other, 'e.0')).toEqual({ full: true, reason: 'large-diff', frame: other });
  });

  test('the frame when the one it knows is of an epoch before, though it names none', () => {
    expect(history.answer({ since: 5 }, frameOf(['v'], { seq: 6, epoch: 1 }), 'e.1')).toMatchObject({
      reason: 'epoch-changed',
    });
  });
});

describe('the history', () => {
  test('holds the last 200 frames', () => {
    const history = new FrameHistory();
    for (let seq = 1; seq <= 300; seq++) history.push(told(frame(seq)));
    expect([history.size, history.find(100), history.find(101)?.frame.seq]).toEqual([200, undefined, 101]);
    const latest = frame(300);
    expect(history.answer({ since: 100 }, latest, 'e.0')).toMatchObject({ full: true, reason: 'history-truncated' });
    expect(history.answer({ since: 101 }, latest, 'e.0')).toMatchObject({ full: false });
  });

  test('holds 8 MiB at most, and counts a row once in however many frames it is', () => {
    const [history, own] = [new FrameHistory(), new FrameHistory()];
    const shared = rowOf('x'.repeat(100_000));
    for (let seq = 1; seq <= 200; seq++) {
      history.push(told(frameOf([shared, `${seq}`], { seq })));
      own.push(told(frameOf(['x'.repeat(100_000), `${seq}`], { seq })));
    }
    expect(history.size).toBe(200);
    expect(history.bytes).toBeLessThan(1024 * 1024);
    expect(own.size).toBeLessThan(30);
    expect(own.bytes).toBeLessThan(8 * 1024 * 1024);
  });

  test('holds a frame of one number once, as it was told last', () => {
    const history = new FrameHistory();
    history.push(told(frame(1)));
    const moved = { ...frame(1), cursor: { row: 0, col: 7, visible: true } };
    history.push(told(moved));
    expect([history.size, history.find(1)?.frame]).toEqual([1, moved]);
  });
});

describe('a hash', () => {
  test.each([[''], ['a'], ['foobar … 漢字']])('of "%s" as UTF-16 is FNV-1a 64, reckoned with BigInt', (text) => {
    let hash = 0xcbf29ce484222325n;
    for (const byte of Buffer.from(text, 'utf16le')) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
    const made = new Fnv64();
    made.text(text);
    expect(made.hex).toBe(hash.toString(16).padStart(16, '0'));
  });

  const base = frameOf(['one', 'two']);
  test.each([
    ['text', frameOf(['one', 'Two'])],
    ['a look', frameOf(['one', rowOf([{ text: 'two', inverse: true }])])],
    ['the cursor row', { ...base, cursor: { row: 1, col: 0, visible: true } }],
    ['the title', { ...base, title: 't' }],
    ['the buffer', { ...base, altScreen: true }],
    ['the size', { ...base, cols: 40 }],
  ])('differs with %s', (_, other) => {
    expect(frameHash(other)).not.toBe(frameHash(base));
  });

  test('is the same for another column, another number and rows made anew', () => {
    const again = frameOf(['one', 'two'], { seq: 9, cursor: { row: 0, col: 5, visible: false } });
    expect(frameHash(again)).toBe(frameHash(base));
  });
});
