import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BenchOptions, type Figure, inTurns, median, type Row } from './Figure.ts';
import { writePayload } from './payloads.ts';
import { isInstalled } from './peers.ts';
import { type ProcessTimes, processTimes } from './processCpu.ts';

const CLI = fileURLToPath(new URL('../../resources/bin/hansard.mjs', import.meta.url));
/** Size of the log lines as a share of `--mb`; the specification has 60 MB of lines and 40 MB of colours. */
const LINES_SHARE = 0.6;

/** Time and CPU time of `hansard record` of a `cat` as a whole process, against `asciinema rec`; both discard the output that they show. */
export const row2b: Row = async (options, say) => {
  if (!isInstalled('asciinema')) return [];
  const tiny = join(options.folder, 'three-bytes.txt');
  writeFileSync(tiny, 'hi\n');
  const lines = writePayload(options.folder, 'log lines', options.megabytes * LINES_SHARE);
  const colours = writePayload(options.folder, 'SGR-heavy', options.megabytes);
  const cases = [
    { work: 'log lines', path: lines.path, most: 0.8 },
    { work: 'SGR-heavy', path: colours.path, most: 1.0 },
    { work: 'three bytes', path: tiny, most: 2.5 },
  ];
  const figures: Figure[] = [];
  for (const one of cases) {
    say(`record of ${one.work}`);
    figures.push(...(await measure(one, options)));
  }
  return figures;
};

async function measure(
  { work, path, most }: { work: string; path: string; most: number },
  { folder, runs }: BenchOptions,
): Promise<Figure[]> {
  const [home, cast] = [join(folder, 'row2b'), join(folder, 'row2b.cast')];
  const values = await inTurns(runs, {
    ours: () => processTimes(['node', CLI, 'record', '-q', '--', 'cat', path], { HANSARD_HOME: home }),
    theirs: () => processTimes(['asciinema', 'rec', '-q', '--overwrite', '-c', `cat '${path}'`, cast]),
  });
  for (const one of [home, cast]) rmSync(one, { recursive: true, force: true });
  const figure = (of: keyof ProcessTimes, name: string): Figure => {
    const all = values.ours.map((times) => times[of]);
    const [ours, theirs] = [median(all), median(values.theirs.map((times) => times[of]))];
    const ratio = ours / theirs;
    return {
      row: 2,
      part: 'b',
      work: `hansard record, ${work}, ${name} (${Math.min(...all)} to ${Math.max(...all)})`,
      value: ours,
      unit: 'ms',
      runs,
      against: { name: 'asciinema rec', value: theirs },
      ratio,
      target: `≤ ${most} ×`,
      isMet: ratio <= most,
    };
  };
  return [figure('ms', 'time'), figure('cpuMs', 'CPU')];
}
