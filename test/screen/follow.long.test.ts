import { afterEach, describe, expect, test } from 'vitest';
import { type FoldedScreen, foldDelta, foldDeltas, keyframeFrom } from '../../src-main/contract/screen/foldDelta.ts';
import { ScreenDelta, ScreenSnapshot } from '../../src-main/contract/screen/screenRecord.ts';
import type { ScreenHost } from '../../src-main/screen/worker/ScreenHost.ts';
import { readAgentCasts } from '../support/agentCasts.ts';
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

/** A folded screen with the field names of a snapshot. */
function told(screen: FoldedScreen | null): object {
  if (!screen) return {};
  const { ts, keyframe, epoch, rows, ...rest } = keyframeFrom(screen);
  return { ...rest, rows: screen.rows.map((row) => row.text), screen_epoch: epoch };
}

/** A snapshot without fields that deltas lack, and without its time, which hiding the cursor changes without a delta. */
function foldable({ version, scrollback, hash, ts, ...rest }: ScreenSnapshot): object {
  return rest;
}

describe('the deltas of a screen', () => {
  test.each(readAgentCasts())(
    'of $name fold to its snapshot at every moment, from any keyframe',
    async ({ name, outputs, ...size }) => {
      const own = writer({}, size);
      const deltas: ScreenDelta[] = [];
      own.screen.follow((delta) => deltas.push(delta));
      const every = Math.max(1, Math.floor(outputs.length / 60));
      for (const [at, output] of outputs.entries()) {
        own.print(output);
        if (at % every !== 0 && at < outputs.length - 1) continue;
        if (at % (every * 10) === 0) own.screen.keyframe();
        const snapshot = await own.screen.snapshot();
        expect(told(foldDeltas(deltas))).toEqual(foldable(snapshot));
        const fromLast = deltas.slice(deltas.findLastIndex((delta) => delta.keyframe));
        expect(told(foldDeltas(fromLast))).toEqual(foldable(snapshot));
        expect(ScreenSnapshot.parse(snapshot)).toEqual(snapshot);
      }
      expect(deltas.filter((delta) => delta.keyframe).length).toBeGreaterThan(2);
      expect(deltas.map((delta) => ScreenDelta.parse(delta))).toEqual(deltas);
    },
  );

  test('begin with a keyframe for each listener', async () => {
    const own = writer();
    own.print('text');
    const [one, two]: [ScreenDelta[], ScreenDelta[]] = [[], []];
    own.screen.follow((delta) => one.push(delta));
    await own.screen.snapshot();
    own.screen.follow((delta) => two.push(delta));
    await own.screen.snapshot();
    expect([one[0]?.keyframe, two[0]?.keyframe]).toEqual([true, true]);
    expect(two[0]).toMatchObject({ rows: [{ row: 0, text: 'text' }], rows_count: 10, cols: 40 });
  });

  test('come ten times a second at most, and the last state always comes', async () => {
    const own = writer();
    const deltas: ScreenDelta[] = [];
    own.screen.follow((delta) => deltas.push(delta));
    await own.screen.frame();
    const beganMs = performance.now();
    for (let n = 0; performance.now() - beganMs < 1000; n++) {
      own.print(`\rspin ${n}`);
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    own.print('\rthe end of it');
    await expect.poll(() => foldDeltas(deltas)?.rows[0]?.text.startsWith('the end of it')).toBe(true);
    const seconds = (performance.now() - beganMs) / 1000;
    expect(deltas.length).toBeLessThanOrEqual(Math.ceil(seconds * 10) + 1);
    expect(deltas.length).toBeGreaterThan(5);
  });

  test('come ten times a second at most though snapshots are asked for as well', async () => {
    const own = writer();
    const deltas: ScreenDelta[] = [];
    own.screen.follow((delta) => deltas.push(delta));
    await own.screen.frame();
    const beganMs = performance.now();
    for (let n = 0; performance.now() - beganMs < 1500; n++) {
      own.print(`\rspin ${n}`);
      if (n % 17 === 0) await own.screen.snapshot();
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    const seconds = (performance.now() - beganMs) / 1000;
    expect(deltas.length).toBeLessThanOrEqual(Math.ceil(seconds * 10) + 2);
  });

  test('are none while nothing is to be told', async () => {
    const own = writer();
    const deltas: ScreenDelta[] = [];
    own.print('text');
    own.screen.follow((delta) => deltas.push(delta));
    await own.screen.snapshot();
    own.print('\x1b[31m\x1b[?25l\x1b[?2004h');
    await own.screen.snapshot();
    expect(deltas).toHaveLength(1);
  });

  test('tell one line that scrolled by as one row', async () => {
    const own = writer();
    own.print(Array.from({ length: 12 }, (_, n) => `line ${n}`).join('\r\n'));
    const deltas: ScreenDelta[] = [];
    own.screen.follow((delta) => deltas.push(delta));
    await own.screen.snapshot();
    own.print('\r\nnext');
    await own.screen.snapshot();
    expect(deltas[1]).toMatchObject({ scrolled_by: 1, rows: [{ row: 9, text: 'next' }], scrollback_total: 3 });
  });

  test.each([
    ['a new size', (own: ScreenWriter) => own.screen.resize({ cols: 30, rows: 8 })],
    ['the alternate screen', (own: ScreenWriter) => own.print('\x1b[?1049h')],
    ['a reset', (own: ScreenWriter) => own.print('\x1bc')],
  ])('have a keyframe at %s', async (_, change) => {
    const own = writer();
    own.print('text');
    const deltas: ScreenDelta[] = [];
    own.screen.follow((delta) => deltas.push(delta));
    await own.screen.snapshot();
    change(own);
    const snapshot = await own.screen.snapshot();
    expect(deltas.map((delta) => delta.keyframe)).toEqual([true, true]);
    expect(told(foldDelta(null, deltas[1] as ScreenDelta))).toEqual(foldable(snapshot));
  });

  test('end when nobody listens, and go on in a new epoch after the worker was replaced', async () => {
    const own: ScreenWriter = writer({ unguarded: true }, { replayFrom: (offset) => own.bytes.subarray(offset) });
    const deltas: ScreenDelta[] = [];
    const following = own.screen.follow((delta) => deltas.push(delta));
    own.print('before\r\n');
    await own.screen.snapshot();
    own.print('\x1b[99999999L');
    await own.screen.frame();
    own.print('after');
    const snapshot = await own.screen.snapshot();
    expect(told(foldDeltas(deltas))).toEqual(foldable(snapshot));
    expect(new Set(deltas.map((delta) => delta.epoch)).size).toBe(2);
    following.dispose();
    const count = deltas.length;
    own.print('more');
    await own.screen.snapshot();
    await turns(20);
    expect(deltas).toHaveLength(count);
  });
});

test('a snapshot holds the last 100 rows from above the screen', async () => {
  const own = writer({}, { scrollbackLines: 500 });
  own.print(Array.from({ length: 300 }, (_, n) => `line ${n}`).join('\r\n'));
  const { scrollback, scrollback_total } = await own.screen.snapshot();
  expect([scrollback_total, scrollback.length, scrollback[0], scrollback.at(-1)]).toEqual([
    290,
    100,
    'line 190',
    'line 289',
  ]);
});
