// Summarizes the run time of the suites from the files of vitest's JSON report.
import { relative } from 'node:path';

/** Number of slowest files in the summary. */
const NAMED = 10;

/**
 * Returns a line for each kind of suite (number of files, sum of their seconds, seconds from the first start to the last end), then one for
 * each of the slowest files. `files`: `{ name, startTime, endTime }`, absolute paths and milliseconds.
 */
export function timesOf(files, root) {
  const timed = files.map(({ name, startTime, endTime }) => ({
    file: relative(root, name),
    kind: /\.(pty|e2e)\.test\.ts$/.exec(name)?.[1] ?? 'unit',
    startTime,
    endTime,
    tookMs: endTime - startTime,
  }));
  const lines = ['unit', 'pty', 'e2e'].flatMap((kind) => {
    const own = timed.filter((one) => one.kind === kind);
    if (own.length === 0) return [];
    const fromMs = Math.min(...own.map(({ startTime }) => startTime));
    const toMs = Math.max(...own.map(({ endTime }) => endTime));
    const sumMs = own.reduce((sum, { tookMs }) => sum + tookMs, 0);
    return `${kind}: ${own.length} files, ${seconds(sumMs)} of tests in ${seconds(toMs - fromMs)}`;
  });
  const slowest = timed.sort((a, b) => b.tookMs - a.tookMs).slice(0, NAMED);
  return [...lines, ...slowest.map(({ file, tookMs }) => `slow: ${seconds(tookMs)} ${file}`)];
}

function seconds(ms) {
  return `${Math.round(ms / 1000)} s`;
}
