import { CoreProcess } from './CoreProcess.ts';
import { type BenchOptions, type Figure, inTurns, median, type Row } from './Figure.ts';
import { PAYLOADS, type PayloadName, writePayload } from './payloads.ts';
import { isInstalled, isPyteInstalled, Tmux, timeAsciinema, timePyte } from './peers.ts';

const LIMITS = { tmux: 0.9, 'asciinema rec': 0.6, pyte: 0.02 } as const;
type Peer = keyof typeof LIMITS;

/** The floods of row 1 against other programs that record or show a terminal. */
export const row2: Row = async (options, say) => {
  const tmux = Tmux.isInstalled ? await new Tmux().start() : null;
  const core = new CoreProcess();
  await core.open();
  const figures: Figure[] = [];
  for (const name of PAYLOADS) {
    say(`${name}, against others`);
    figures.push(...(await measure({ core, tmux }, name, options)));
  }
  await core.stop();
  await tmux?.stop();
  return figures;
};

async function measure(
  { core, tmux }: { core: CoreProcess; tmux: Tmux | null },
  name: PayloadName,
  { folder, megabytes, runs }: BenchOptions,
): Promise<Figure[]> {
  const { path, bytes } = writePayload(folder, name, megabytes);
  const measurements: Record<string, () => Promise<number>> = {
    ours: async () => (await core.run(`cat '${path}'`)).ms,
    ...(tmux && { tmux: () => tmux.time(path) }),
    ...(isInstalled('asciinema') && { 'asciinema rec': () => timeAsciinema(folder, path) }),
    ...(isPyteInstalled() && { pyte: () => timePyte(path, bytes) }),
  };
  const values = await inTurns(runs, measurements);
  const ours = median(values.ours ?? []);
  return (Object.keys(LIMITS) as Peer[])
    .filter((peer) => values[peer])
    .map((peer) => {
      const theirs = median(values[peer] ?? []);
      const ratio = ours / theirs;
      return {
        row: 2,
        work: `firehose, ${name}`,
        value: bytes / 1e3 / ours,
        unit: 'MB/s',
        runs,
        against: { name: peer, value: bytes / 1e3 / theirs },
        ratio,
        target: `≤ ${LIMITS[peer]} ×`,
        isMet: ratio <= LIMITS[peer],
      };
    });
}
