import { readFileSync } from 'node:fs';
import { CoreProcess } from './CoreProcess.ts';
import type { Row } from './Figure.ts';
import { writePayload } from './payloads.ts';

const SAMPLE_EVERY_MS = 50;
const LINE_BYTES = 86;

/**
 * Growth of the core's memory during and after a block of a million lines (scaled by `--mb`). A tenth of the payload runs first, so
 * that the loading of code is not measured. One run, because memory has no noise.
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

/** Resident bytes of the process, from /proc/PID/statm (proc(5)); Linux only. */
function residentBytes(pid: number): number {
  const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ');
  return Number(pages) * 4096;
}
