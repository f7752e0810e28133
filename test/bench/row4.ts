import { readFileSync } from 'node:fs';
import { CoreProcess } from './CoreProcess.ts';
import type { Row } from './Figure.ts';
import { writePayload } from './payloads.ts';

const SAMPLE_EVERY_MS = 50;
const LINE_BYTES = 86;

/**
 * A block of a million lines (as many as --mb gives): how much the core grows while it runs, and after it has ended. Before it,
 * the core has shown a tenth of it, so that what is measured is not the loading of code. One run: memory has no noise to average.
 */
export const row4: Row = async ({ folder, megabytes }, say) => {
  const core = new CoreProcess();
  await core.open();
  const warm = writePayload(folder, 'log lines', megabytes / 10);
  await core.run(`cat '${warm.path}'`);
  const { path } = writePayload(folder, 'log lines', (megabytes * LINE_BYTES) / 100);
  const before = await core.collect();
  let peak = before.residentBytes;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(core.pid));
  }, SAMPLE_EVERY_MS);
  const { lines } = await core.run(`cat '${path}'`);
  clearInterval(timer);
  const after = await core.collect();
  await core.stop();
  say(`${lines} lines`);
  const base = { row: 4, unit: 'MB' as const, runs: 1, against: null, ratio: null };
  const during = (peak - before.residentBytes) / 1e6;
  const then = (after.residentBytes - before.residentBytes) / 1e6;
  const live = (after.liveBytes - before.liveBytes) / 1e6;
  return [
    {
      ...base,
      work: `memory while ${lines} lines run`,
      value: during,
      target: '≤ 64 MB',
      isMet: during <= 64,
    },
    { ...base, work: 'memory after they ended', value: then, target: '≤ 8 MB', isMet: then <= 8 },
    { ...base, work: '  … of it in use', value: live, target: '', isMet: null },
  ];
};

/** VmRSS of all threads (proc(5)). Linux only, as everything here that reads /proc. */
function residentBytes(pid: number): number {
  const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ');
  return Number(pages) * 4096;
}
