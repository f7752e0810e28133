import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Figure, inTurns, median, type Row } from './Figure.ts';
import { processCpu } from './processCpu.ts';

const CLI = fileURLToPath(new URL('../../resources/bin/hansard.mjs', import.meta.url));
const EMPTY = 'node -e 0';
const COMMANDS = [['--help'], ['ls'], ['blocks'], ['block', 'last']] as const;
const TARGET = 2.5;
/** A process of 60 ms varies by 10 ms on a shared machine, so this row has more runs than others. */
const RUNS_FACTOR = 3;

/** CPU time of commands as whole processes, against a Node that does nothing. */
export const row15: Row = async ({ folder, runs }, say) => {
  const env = { HANSARD_HOME: join(folder, 'row15'), NODE_COMPILE_CACHE: undefined };
  await processCpu(['node', CLI, 'record', '-q', '--', 'echo', 'one'], env);
  say('start of the command line');
  const measurements = Object.fromEntries([
    [EMPTY, () => processCpu(['node', '-e', '0'], env)],
    ...COMMANDS.map((words) => [words.join(' '), () => processCpu(['node', CLI, ...words], env)]),
  ]);
  const count = runs * RUNS_FACTOR;
  const values = await inTurns(count, measurements);
  const empty = median(values[EMPTY] ?? []);
  return COMMANDS.map((words): Figure => {
    const own = values[words.join(' ')] ?? [];
    const ratio = median(own) / empty;
    return {
      row: 15,
      work: `hansard ${words.join(' ')}, CPU (${Math.min(...own)} to ${Math.max(...own)})`,
      value: median(own),
      unit: 'ms',
      runs: count,
      against: { name: EMPTY, value: empty },
      ratio,
      target: `≤ ${TARGET} ×`,
      isMet: ratio <= TARGET,
    };
  });
};
