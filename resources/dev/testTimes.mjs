// Where the time of a run of the suites went, from the files of vitest's JSON report.
import { relative } from 'node:path';

/** So many files are named. */
const NAMED = 10;

/**
 * A line for each kind of suite (its files, their seconds together, and from the first one's start to the last one's end), then one for
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
