import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTurns, median, type Row } from './Figure.ts';
import { writeTerminal, writeWorkspace } from './writeRecord.ts';

const CLI = join(import.meta.dirname, '../../out/main/cli.js');
/** MB of output per MB of `--mb`. 100 MB give 1 GB of records, half raw and half text. */
const RECORD_PER_LOG = 5;
const TERMINALS = 50;
const BLOCKS_PER_TERMINAL = 200;
const BYTES_PER_LINE = 110;

/** Start with a large record that has one tab left open by a killed core, against a start with an empty data folder. */
export const row10: Row = async ({ folder, megabytes, runs }, say) => {
  const [large, empty] = [join(folder, 'large'), join(folder, 'empty')];
  const lines = Math.round((megabytes * 1e6 * RECORD_PER_LOG) / TERMINALS / BLOCKS_PER_TERMINAL / BYTES_PER_LINE);
  let bytes = 0;
  for (let n = 0; n < TERMINALS; n++)
    bytes += writeTerminal(large, {
      id: `t${n}-bench`,
      blocks: BLOCKS_PER_TERMINAL,
      linesOf: () => lines,
      isTorn: n === 0,
    });
  say(`${Math.round(bytes / 1e6)} MB of records`);
  writeWorkspace(large, ['t0-bench']);
  writeWorkspace(empty, []);
  await timeStart(empty); // warms the page cache, so that neither reads the program from disk
  const values = await inTurns(runs, { empty: () => timeStart(empty), large: () => timeStart(large) });
  rmSync(large, { recursive: true });
  const [ours, theirs] = [median(values.large), median(values.empty)];
  return [
    {
      row: 10,
      work: `start with ${Math.round(bytes / 1e6)} MB of records, after a kill`,
      value: ours,
      unit: 'ms',
      runs,
      against: { name: 'an empty store', value: theirs },
      ratio: ours / theirs,
      target: '≤ 1.5 ×',
      isMet: ours / theirs <= 1.5,
    },
  ];
};

/** Milliseconds from the start of the process to its line `Hansard is ready`; then kills it. */
async function timeStart(home: string): Promise<number> {
  if (!existsSync(CLI)) throw new Error(`no ${CLI}: build first`);
  const { PATH = '' } = process.env;
  const startMs = performance.now();
  const child = spawn(process.execPath, [CLI, 'serve', '--no-open'], {
    env: { PATH, HOME: tmpdir(), USER: 'tester', SHELL: '/bin/bash', LANG: 'C.UTF-8', HANSARD_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const ms = await new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) => {
      if (data.toString().includes('Hansard is ready')) resolve(performance.now() - startMs);
    });
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}`)));
  });
  child.kill('SIGKILL');
  await gone;
  return ms;
}
