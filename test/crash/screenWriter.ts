import { writeSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import type { ScreenDelta } from '../../src-main/contract/screen/screenRecord.ts';
import { ScreenFile } from '../../src-main/store/record/ScreenFile.ts';
import { systemClock } from '../../src-main/util/Clock.ts';
import { silentLog } from '../../src-main/util/Log.ts';

/**
 * Runs as its own program until it is killed: writes deltas from a seq (argument 2) to a file (argument 1) that is rolled all the time.
 * Prints the seq of each delta that the file took to descriptor 3.
 */
const [, , path = '', from = '0'] = process.argv;
const KEYFRAME_EVERY = 20;
const MAX_BYTES = 100_000;

let isKeyframeWanted = true;
const file = new ScreenFile(path, {
  clock: systemClock,
  log: silentLog,
  maxBytes: MAX_BYTES,
  onKeyframeWanted: () => {
    isKeyframeWanted = true;
  },
});
for (let seq = Number(from); ; seq += 1) {
  const isKeyframe = isKeyframeWanted || seq % KEYFRAME_EVERY === 0;
  isKeyframeWanted = false;
  const delta: ScreenDelta = {
    seq,
    epoch: 'w.1',
    ts: seq,
    ...(isKeyframe && { keyframe: true as const, cols: 80, rows_count: 24 }),
    rows: [{ row: seq % 24, text: `row of ${seq} ${'x'.repeat(seq % 200)}` }],
  };
  if (file.append(delta)) writeSync(3, `${seq}\n`);
  if (seq % 10 === 0) await turn();
}
