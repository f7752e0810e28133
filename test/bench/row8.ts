import { type Figure, inTurns, median, type Row } from './Figure.ts';
import { ManyTerminals } from './ManyTerminals.ts';
import { writePayload } from './payloads.ts';

const TERMINALS = 50;
const FLOODING = 10;
/** Share of the log payload for all flooding terminals together, and for the one that floods alone. */
const SHARE = 0.4;
const MAX_IDLE_MB = 6;
const WITHIN = 0.15;
/** When the first terminal ends, one with less than this share of the largest output starves. */
const MIN_FAIR = 0.5;

/**
 * Fifty terminals: the core's memory per idle terminal (without the shells; one run, against one terminal), then ten of them
 * flooding at once, against one that prints as much as the ten together.
 */
export const row8: Row = async ({ folder, megabytes, runs }, say) => {
  const all = writePayload(folder, 'log lines', megabytes * SHARE);
  const part = writePayload(folder, 'log lines', (megabytes * SHARE) / FLOODING);
  const core = new ManyTerminals();
  await core.open(1);
  const one = await core.idleBytes();
  say(`${TERMINALS} terminals`);
  await core.open(TERMINALS - 1);
  const perIdle = ((await core.idleBytes()) - one) / (TERMINALS - 1) / 1e6;
  const shares: number[] = [];
  const cpuMs = { one: [] as number[], ten: [] as number[] };
  await core.flood(`cat '${part.path}'`, FLOODING); // compiles the code and allocates the buffers
  say('flooding');
  const values = await inTurns(runs, {
    one: async () => {
      const flooded = await core.flood(`cat '${all.path}'`, 1);
      cpuMs.one.push(flooded.cpuMs);
      return flooded.ms;
    },
    ten: async () => {
      const { ms, bytesAtFirstEnd, cpuMs: spent } = await core.flood(`cat '${part.path}'`, FLOODING);
      cpuMs.ten.push(spent);
      shares.push(Math.min(...bytesAtFirstEnd) / Math.max(...bytesAtFirstEnd));
      return ms;
    },
  });
  const after = (await core.idleBytes()) / 1e6;
  await core.stop();
  const rateOfOne = all.bytes / 1e3 / median(values.one);
  const rateOfTen = (part.bytes * FLOODING) / 1e3 / median(values.ten);
  const fairness = Math.min(...shares);
  const slower = rateOfOne / rateOfTen;
  const base = { row: 8, against: null, ratio: null };
  const figures: Figure[] = [
    {
      ...base,
      work: `memory of an idle terminal, one of ${TERMINALS}`,
      value: perIdle,
      unit: 'MB',
      runs: 1,
      target: `≤ ${MAX_IDLE_MB} MB`,
      isMet: perIdle <= MAX_IDLE_MB,
    },
    {
      ...base,
      work: '  … of the whole core after floods, idle',
      value: after,
      unit: 'MB',
      runs: 1,
      target: '',
      isMet: null,
    },
    {
      ...base,
      work: `${FLOODING} of ${TERMINALS} terminals flooding, all together`,
      value: rateOfTen,
      unit: 'MB/s',
      runs,
      against: { name: 'one of them', value: rateOfOne },
      ratio: slower,
      target: `≤ ${1 + WITHIN} ×`,
      isMet: slower <= 1 + WITHIN,
    },
    {
      ...base,
      work: "  … the core's CPU for them",
      value: median(cpuMs.ten),
      unit: 'ms',
      runs,
      against: { name: 'for one of them', value: median(cpuMs.one) },
      ratio: median(cpuMs.ten) / median(cpuMs.one),
      target: '',
      isMet: null,
    },
    {
      ...base,
      work: '  … least output of one, when the first had ended',
      value: fairness * 100,
      unit: '%',
      runs,
      target: `none starves (≥ ${MIN_FAIR * 100} % of the most)`,
      isMet: fairness >= MIN_FAIR,
    },
  ];
  return figures;
};
