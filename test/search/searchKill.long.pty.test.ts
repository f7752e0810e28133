import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findByIndex } from '../../src-main/search/findEverywhere.ts';
import { SearchIndexer } from '../../src-main/search/SearchIndexer.ts';
import { IndexFile } from '../../src-main/store/index/IndexFile.ts';
import { isWhole } from '../../src-main/store/index/isWhole.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { History } from '../store/index/history.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { aQuery, gather } from './find.ts';

const data = suiteFolder('search-kill');
const PROGRAM = join(import.meta.dirname, 'indexWriter.ts');
const BLOCKS = 450;
const KILLS = 12;

async function runAndKill(home: string, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, home], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => child.once('close', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  await sleep(afterMs);
  expect(child.exitCode).toBeNull();
  child.kill('SIGKILL');
  await exited;
}

test('after each kill -9 while the index is made, it goes on from there and finds everything', async () => {
  const home = join(data, 'home');
  mkdirSync(home, { mode: 0o700 });
  const written = new History(home);
  for (let n = 0; n < BLOCKS; n++) {
    written.do({ type: 'begin', terminal: 0, cmd: `run ${n}` });
    written.do({ type: 'end', terminal: 0, output: `number ${n}\n`.repeat(20), exitCode: 0 });
  }
  let partly = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    await runAndKill(home, 30 + ((kill * 7919) % 400));
    const left = await countLeft(home);
    if (left > 0 && left < BLOCKS) partly += 1;
    const keeper = new SearchIndexer(home, silentLog);
    keeper.look();
    await keeper.settled();
    const { index } = keeper;
    if (!index) throw new Error('there is no index');
    expect(await isWhole(home, index)).toBe(true);
    const { hits } = await gather(findByIndex({ dataFolder: home, index }, aQuery('number')));
    expect(new Set(hits.map(({ id }) => id)).size).toBe(BLOCKS);
    await keeper.close();
    IndexFile.remove(home);
  }
  expect(partly, 'kills that met a half-made index').toBeGreaterThan(0);
});

/** Number of documents in the index after the kill; 0 without an index. */
async function countLeft(home: string): Promise<number> {
  try {
    const index = IndexFile.openToRead(home);
    const { count } = index.get<{ count: number }>('SELECT count(*) AS count FROM docs') ?? { count: 0 };
    index.close();
    return count;
  } catch {
    return 0; // killed before the index existed
  }
}
