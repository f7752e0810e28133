import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newestBlocks } from '../../../src-main/cli/record/findBlocks.ts';
import { RecordReader } from '../../../src-main/cli/record/RecordReader.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { recordTerminal, START_MS } from '../recordFolder.ts';

/** Minutes after the start at which each terminal's blocks began; clocks may have been set back. */
const terminals = fc.array(fc.array(fc.nat(50), { maxLength: 6 }), { minLength: 1, maxLength: 4 });

test('the newest blocks of several terminals keep the order of each, and the last ones are among them', async () => {
  await fc.assert(
    fc.asyncProperty(terminals, fc.integer({ min: 1, max: 8 }), async (minutes, limit) => {
      const home = suiteFolder('newest');
      for (const [at, own] of minutes.entries()) {
        const specs = own.map((minute, n) => ({ id: `b${n + 1}-${at}`, startedMs: START_MS + minute * 60_000 }));
        await recordTerminal(home, `t${at}`, specs);
      }
      const record = await RecordReader.open(home);
      const found = await newestBlocks(record, await record.listed(), limit);
      record.dispose();
      expect(found).toHaveLength(Math.min(limit, minutes.flat().length));
      for (const [at, own] of minutes.entries()) {
        const seqs = found.filter(({ terminalId }) => terminalId === `t${at}`).map(({ seq }) => seq);
        const newest = own.map((_, n) => n + 1).slice(own.length - seqs.length);
        expect(seqs).toEqual(newest);
      }
    }),
    fuzzRuns(30),
  );
});
