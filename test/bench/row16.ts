import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeClosedTerminals } from './closedTerminals.ts';
import { type Figure, inTurns, median, type Row } from './Figure.ts';
import { processCpu } from './processCpu.ts';

const CLI = fileURLToPath(new URL('../../resources/bin/hansard.mjs', import.meta.url));
const FEW = 100;
const MANY = 5_000;
const COMMANDS = [['ls'], ['blocks'], ['block', 'last'], ['chats']] as const;
const TARGET = 1.3;
/** Wait before the catalogue is written, because it leaves out folders that have just changed. */
const SETTLED_MS = 3_000;

/** CPU time of commands that print a page, with 5,000 closed terminals against the same commands with 100. */
export const row16: Row = async ({ folder, runs }, say) => {
  const homes = { [FEW]: join(folder, 'few'), [MANY]: join(folder, 'many') };
  say(`writing ${MANY} closed terminals`);
  for (const [count, home] of Object.entries(homes)) writeClosedTerminals(home, Number(count));
  await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
  for (const home of Object.values(homes)) await processCpu(['node', CLI, 'ls'], { HANSARD_HOME: home }); // writes the catalogue
  const measurements = COMMANDS.flatMap((words) =>
    Object.entries(homes).map(([count, home]) => [
      `${words.join(' ')} ${count}`,
      () => processCpu(['node', CLI, ...words], { HANSARD_HOME: home }),
    ]),
  );
  const values = await inTurns(runs, Object.fromEntries(measurements));
  return COMMANDS.map((words): Figure => {
    const [few, many] = [values[`${words.join(' ')} ${FEW}`] ?? [], values[`${words.join(' ')} ${MANY}`] ?? []];
    const ratio = median(many) / median(few);
    return {
      row: 16,
      work: `hansard ${words.join(' ')}, ${MANY} terminals, CPU (${Math.min(...many)} to ${Math.max(...many)})`,
      value: median(many),
      unit: 'ms',
      runs,
      against: { name: `${FEW} terminals`, value: median(few) },
      ratio,
      target: `≤ ${TARGET} ×`,
      isMet: ratio <= TARGET,
    };
  });
};
