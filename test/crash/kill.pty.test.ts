import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Block } from '../../src-main/contract/block.ts';
import { TerminalMeta } from '../../src-main/contract/terminal.ts';
import { readJsonLines } from '../../src-main/store/files/readJsonLines.ts';
import { recoverTerminal } from '../../src-main/store/record/recover.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { timesOf } from '../support/fuzzRuns.ts';
import { streamBytes } from './streamBytes.ts';

const data = suiteFolder('kill');
const WRITER = join(import.meta.dirname, 'recordWriter.ts');
const asIs = (json: unknown): unknown => json;

/** A random number generator with a seed, so that a failure can be reproduced. */
function randomBy(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** Starts a writer and kills it `afterMs` after it is ready; a negative value counts from its start. */
async function runAndKill(home: string, afterMs: number): Promise<void> {
  const acks = openSync(join(home, 'acks'), 'a', 0o600);
  const child = spawn(process.execPath, [WRITER, home], { stdio: ['ignore', 'ignore', 'pipe', acks] });
  let complaint = '';
  child.stderr?.on('data', (text) => {
    complaint += text;
  });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  if (afterMs < 0) await sleep(-afterMs);
  else {
    const startedAt = statSync(join(home, 'acks')).size;
    while (statSync(join(home, 'acks')).size === startedAt && child.exitCode === null) await sleep(2);
    await sleep(afterMs);
  }
  expect(child.exitCode, complaint).toBeNull();
  child.kill('SIGKILL');
  await exited;
  closeSync(acks);
}

/** Blocks and raw offset that the store acknowledged to the writers. */
function readAcks(home: string): { blocks: Block[]; rawSize: number } {
  const lines = readFileSync(join(home, 'acks'), 'utf8').split('\n');
  const of = (word: string): string[] =>
    lines.filter((line) => line.startsWith(word)).map((line) => line.slice(word.length));
  return {
    blocks: of('block ').map((json) => Block.parse(JSON.parse(json))),
    rawSize: Math.max(0, ...of('raw ').map(Number)),
  };
}

async function verify(home: string): Promise<void> {
  const folder = new SessionFolder(home, 't1');
  const acknowledged = readAcks(home);
  if (!existsSync(folder.root)) {
    expect(acknowledged.blocks).toEqual([]);
    return;
  }
  await recoverTerminal(folder, { nowMs: Date.now(), log: silentLog });
  for (const path of [folder.blocksJsonl, folder.events]) {
    expect(await readJsonLines(path, asIs)).toEqual(expect.objectContaining({ badLines: 0, tornTail: null }));
  }
  for (const name of existsSync(folder.blocksDir) ? readdirSync(folder.blocksDir) : []) {
    if (!name.endsWith('.idx')) continue;
    expect(await readJsonLines(join(folder.blocksDir, name), asIs)).toEqual(
      expect.objectContaining({ badLines: 0, tornTail: null }),
    );
  }
  expect(readdirSync(folder.root).filter((name) => name.includes('.bad-'))).toEqual([]);
  if (existsSync(folder.snapshot)) JSON.parse(readFileSync(folder.snapshot, 'utf8'));
  TerminalMeta.parse(JSON.parse(readFileSync(folder.meta, 'utf8')));
  const { records } = await readJsonLines(folder.blocksJsonl, Block.parse);
  const lines = new Set(records.map((block) => JSON.stringify(block)));
  expect(acknowledged.blocks.filter((block) => !lines.has(JSON.stringify(block)))).toEqual([]);
  const latest = new Map(records.map((block) => [block.id, block]));
  const open = [...latest.values()].filter(({ status }) => status !== 'completed' && status !== 'interrupted');
  expect(open).toEqual([]);
  const raw = existsSync(folder.raw) ? readFileSync(folder.raw) : Buffer.alloc(0);
  expect(raw.length).toBeGreaterThanOrEqual(acknowledged.rawSize);
  expect(raw.equals(streamBytes(0, raw.length))).toBe(true);
  for (const block of latest.values()) expect(block.rawEnd).toBeLessThanOrEqual(raw.length);
}

/** Folders per lane, of ten lanes. A writer and its successor write each folder; the test verifies it after the second kill. */
const FOLDERS = timesOf({ merge: 2, soak: 10 });
const KILLS = 10 * FOLDERS * 2;

test.each([1, 2, 3, 4, 5])(
  `${KILLS} kill -9 in any moment: every file parses, nothing acknowledged is lost, open blocks are interrupted (part %i of 5)`,
  async (part) => {
    const lane = async (seed: number): Promise<void> => {
      const random = randomBy(seed);
      for (let round = 0; round < FOLDERS; round += 1) {
        const home = join(data, `${seed}-${round}`);
        mkdirSync(home, { mode: 0o700 });
        for (let life = 0; life < 2; life += 1) {
          const afterMs = random() < 0.2 ? -(60 + random() * 200) : 5 + random() * 195;
          await runAndKill(home, afterMs);
          if (random() < 0.5) await verify(home); // otherwise the next writer recovers it
        }
        await verify(home);
        rmSync(home, { recursive: true });
      }
    };
    await Promise.all([lane(part * 2), lane(part * 2 + 1)]);
  },
  120_000,
);
