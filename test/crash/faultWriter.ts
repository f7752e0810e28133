/**
 * Runs as its own program under a limit or under strace: appends to output.raw and blocks.jsonl of a folder, syncs in between,
 * and prints a report as JSON. Arguments: folder, number of pieces, bytes per piece, wait after each in ms.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordGap } from '../../src-main/contract/notice.ts';
import { AppendFile } from '../../src-main/store/files/AppendFile.ts';
import { JsonLines } from '../../src-main/store/files/JsonLines.ts';
import { systemClock } from '../../src-main/util/Clock.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { streamBytes } from './streamBytes.ts';

const [folder = '', ...numbers] = process.argv.slice(2);
const [pieces = 0, bytesEach = 0, waitMs = 0] = numbers.map(Number);
const report = {
  rawFaults: [] as (string | null)[],
  lineFaults: [] as (string | null)[],
  gaps: [] as RecordGap[],
  size: 0,
  written: [] as boolean[],
  longestStallMs: 0,
};
const deps = { log: silentLog, clock: systemClock };
const raw = AppendFile.open(`${folder}/output.raw`, {
  ...deps,
  onFault: (fault) => report.rawFaults.push(fault?.reason ?? null),
});
raw.onGap((gap) => report.gaps.push(gap));
const lines = JsonLines.open<{ n: number; pad: string }>(`${folder}/blocks.jsonl`, {
  ...deps,
  onFault: (fault) => report.lineFaults.push(fault?.reason ?? null),
});

let tickedMs = performance.now();
const ticker = setInterval(() => {
  report.longestStallMs = Math.max(report.longestStallMs, performance.now() - tickedMs - 10);
  tickedMs = performance.now();
}, 10);

const written: Promise<boolean>[] = [];
const syncs: Promise<void>[] = [];
for (let n = 0; n < pieces; n += 1) {
  raw.append(streamBytes(raw.size, bytesEach));
  written.push(lines.append({ n, pad: 'x'.repeat(Math.max(0, bytesEach - 20)) }));
  syncs.push(raw.sync(), lines.sync());
  await sleep(waitMs);
}
await Promise.all(syncs);
await Promise.all([raw.sync(), lines.sync()]);
report.size = raw.size;
await Promise.all([raw.close(), lines.close()]);
report.written = await Promise.all(written);
clearInterval(ticker);
process.stdout.write(JSON.stringify(report));
