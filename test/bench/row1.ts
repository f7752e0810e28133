import { CoreProcess } from './CoreProcess.ts';
import { type BenchOptions, type Figure, inTurns, median, type Row } from './Figure.ts';
import { PAYLOADS, type PayloadName, writePayload } from './payloads.ts';
import { timeRawParse, timeRawRead } from './peers.ts';

/**
 * Row 1: a flood through the whole core, against node-pty that reads and discards the same output. The emulator alone shows how much of
 * the rest is parsing.
 */
export const row1: Row = async (options, say) => {
  const core = new CoreProcess();
  await core.open();
  const figures: Figure[] = [];
  for (const name of PAYLOADS) {
    say(`firehose of ${name}`);
    figures.push(...(await measure(core, name, options)));
  }
  await core.stop();
  return figures;
};

async function measure(core: CoreProcess, name: PayloadName, options: BenchOptions): Promise<Figure[]> {
  const { path, bytes } = writePayload(options.folder, name, options.megabytes);
  const textMs: number[] = [];
  const values = await inTurns(options.runs, {
    raw: () => timeRawRead(['cat', path]),
    parsed: () => timeRawParse(path),
    core: async () => {
      const figures = await core.run(`cat '${path}'`);
      textMs.push(figures.textMs);
      return figures.ms;
    },
  });
  const rate = (ms: number): number => bytes / 1e3 / ms;
  const [ours, theirs] = [median(values.core), median(values.raw)];
  const base = { row: 1, unit: 'MB/s' as const, runs: options.runs };
  const against = { name: 'node-pty alone', value: rate(theirs) };
  const ratio = ours / theirs;
  const all: Figure[] = [
    { ...base, work: `firehose, ${name}`, value: rate(ours), against, ratio, target: '≤ 1.5 ×', isMet: ratio <= 1.5 },
  ];
  const parsedMs = median(values.parsed);
  const emulator = { name: '@xterm/headless alone', value: rate(parsedMs) };
  const extra = { ...base, target: '', isMet: null };
  all.push({
    ...extra,
    work: '  … against parsing alone',
    value: rate(ours),
    against: emulator,
    ratio: ours / parsedMs,
  });
  const written = median(textMs);
  if (written > ours * 1.02)
    all.push({
      ...extra,
      work: '  … until its rendered text is written',
      value: rate(written),
      against,
      ratio: written / theirs,
    });
  return all;
}
