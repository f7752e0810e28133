import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { BlockLog } from '../../../src-main/terminal/blocks/BlockLog.ts';
import { BlockMemory } from '../../../src-main/terminal/blocks/BlockMemory.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { ended, jsonLines } from '../../store/records.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { FakeClock } from '../../support/FakeClock.ts';

const folder = new SessionFolder(suiteFolder('BlockLog'), 't1');

test('closing does not wait for the pause between two syncs', async () => {
  folder.create();
  const log = new BlockLog({ folder, reportFault: () => undefined }, new BlockMemory([], []), {
    log: silentLog,
    clock: new FakeClock(),
  });
  const blocks = [ended(1), ended(2), ended(3)];
  for (const block of blocks) log.append(block, block.seq);
  await log.close(); // the clock stays where it is
  expect(readFileSync(folder.blocksJsonl, 'utf8')).toBe(jsonLines(blocks));
});
