import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { restTerminal, wakeTerminal } from '../../src-main/store/archive/restTerminal.ts';
import { streamOut, streamRaw } from '../../src-main/store/record/readRecord.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { timesOf } from '../support/fuzzRuns.ts';
import { streamBytes } from './streamBytes.ts';

const data = suiteFolder('rest-kill');
const PROGRAM = join(import.meta.dirname, 'restLoop.ts');
const RAW_BYTES = 3_000_000;
const OUT_BYTES = 200_000;
/** Kills in each of the two lanes. */
const KILLS = timesOf({ merge: 15, soak: 40 });

function record(home: string): SessionFolder {
  mkdirSync(home, { mode: 0o700 });
  const folder = new SessionFolder(home, 't1');
  folder.create();
  writeFileSync(folder.raw, streamBytes(0, RAW_BYTES), { mode: 0o600 });
  writeFileSync(folder.out('b1'), streamBytes(0, OUT_BYTES), { mode: 0o600 });
  return folder;
}

async function sha256(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const digest = createHash('sha256');
  for await (const piece of pieces) digest.update(piece);
  return digest.digest('hex');
}

const ofStream = (length: number): string => createHash('sha256').update(streamBytes(0, length)).digest('hex');
const expected = [ofStream(RAW_BYTES), ofStream(OUT_BYTES)];
const read = async (folder: SessionFolder): Promise<string[]> =>
  Promise.all([sha256(streamRaw(folder, 0)), sha256(streamOut(folder, 'b1'))]);

async function runAndKill(home: string, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, home], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => child.once('close', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  await sleep(afterMs);
  expect(child.exitCode).toBeNull();
  child.kill('SIGKILL');
  await exited;
}

/** The forms of output.raw after a kill. The test requires the plain and the compressed form, each alone, at least once. */
function formOf(folder: SessionFolder): string {
  const names = readdirSync(folder.root).filter((name) => name.startsWith('output.raw'));
  return names.sort().join(' + ');
}

test(`${2 * KILLS} kill -9 while terminals are compressed and made plain again: every byte is read back after each`, async () => {
  const forms = new Set<string>();
  const hasBoth = () => forms.has('output.raw') && forms.has('output.raw.zst');
  const lane = async (seed: number): Promise<void> => {
    const folder = record(join(data, `lane-${seed}`));
    const startMs = performance.now();
    await restTerminal(folder, {});
    await wakeTerminal(folder);
    // Kills within the time of a whole round find both forms, on a busy machine too; …
    const roundMs = Math.max(120, performance.now() - startMs);
    let state = seed;
    // … but many may find the same one.
    for (let kill = 0; kill < KILLS || (!hasBoth() && kill < 10 * KILLS); kill += 1) {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      await runAndKill(folder.dataFolder, 2 + (state / 2 ** 31) * roundMs);
      forms.add(formOf(folder));
      expect(await read(folder)).toEqual(expected);
    }
    await restTerminal(folder, {});
    expect(readdirSync(folder.root).sort()).toEqual(['blocks', 'output.raw.zst']); // the half-written files of the kills are removed
    expect(readdirSync(folder.blocksDir)).toEqual(['b1.out.zst']);
    await wakeTerminal(folder);
    expect(await read(folder)).toEqual(expected);
  };
  await Promise.all([lane(1), lane(2)]);
  expect(hasBoth(), [...forms].join('; ')).toBe(true);
}, 120_000);
