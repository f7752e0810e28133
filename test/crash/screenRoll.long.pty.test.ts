import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { foldDeltas } from '../../src-main/contract/screen/foldDelta.ts';
import { sweepTemporaries } from '../../src-main/store/files/sweepTemporaries.ts';
import { cutTornTail } from '../../src-main/store/files/tornTail.ts';
import { readDeltas, readDeltasTo } from '../../src-main/store/record/readScreenFile.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { timesOf } from '../support/fuzzRuns.ts';

const RUNS = timesOf({ merge: 12, soak: 60 });
const folder = suiteFolder('screen-roll');
const path = join(folder, 'screen.jsonl');
const acks = join(folder, 'acks');
const WRITER = join(import.meta.dirname, 'screenWriter.ts');

/** The last seq that the writers handed to the disk; -1 before the first. */
function acknowledged(): number {
  if (!existsSync(acks)) return -1;
  const lines = readFileSync(acks, 'utf8').split('\n');
  return Number(lines.at(-2) ?? -1);
}

const rolledTo = async (): Promise<number> => (await readDeltas(path, 0, 1)).firstCursor;

/**
 * Kills the writer after `writes` deltas, and with `isRolled` not before it has rolled the file; no time, because in a given time a busy
 * machine writes less, and rolls only once its disk has synced.
 */
async function runAndKill(from: number, { writes, isRolled }: { writes: number; isRolled: boolean }): Promise<void> {
  const before = await rolledTo();
  const ackFile = openSync(acks, 'a', 0o600);
  const child = spawn(process.execPath, [WRITER, path, String(from)], {
    stdio: ['ignore', 'ignore', 'inherit', ackFile],
  });
  const gone = new Promise((resolve) => child.once('close', resolve));
  const isDue = async () => acknowledged() >= from + writes && (!isRolled || (await rolledTo()) > before);
  while (child.exitCode === null && !(await isDue())) await sleep(2);
  expect(child.exitCode).toBeNull();
  child.kill('SIGKILL');
  await gone;
  closeSync(ackFile);
}

test(
  `a screen.jsonl that is rolled all the time survives ${RUNS} kills: whole, in order, from a keyframe to what was handed over`,
  async () => {
    for (const file of [path, acks]) rmSync(file, { force: true }); // left by the attempt before this retry
    let rolls = 0;
    let next = 0;
    for (let run = 0; run < RUNS; run += 1) {
      await runAndKill(next, { writes: 50 + ((run * 7919) % 400), isRolled: run % 2 === 0 });
      await cutTornTail(path, run);
      sweepTemporaries(folder);
      const page = await readDeltas(path, 0, Number.MAX_SAFE_INTEGER);
      const first = page.deltas[0]?.seq ?? -1;
      rolls += page.firstCursor > 0 ? 1 : 0;
      expect(page.deltas[0]?.keyframe).toBe(true);
      expect(page.deltas.map(({ seq }) => seq)).toEqual(page.deltas.map((_, at) => first + at));
      expect(page.deltas.at(-1)?.seq).toBeGreaterThanOrEqual(acknowledged());
      const last = foldDeltas(await readDeltasTo(path, 'end'));
      next = (last?.seq ?? -1) + 1;
      expect([last?.seq, last]).toEqual([page.deltas.at(-1)?.seq, foldDeltas(page.deltas)]);
    }
    expect(rolls, 'the file was rolled').toBeGreaterThan(RUNS / 2);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  },
  3 * 60_000,
);
