/**
 * Runs as its own program until it is killed: recovers terminal t1 of a data folder (argument 1), then records blocks as fast as it can.
 * Writes what the store has acknowledged to descriptor 3, one line each: `ready`, `block <json>` and `raw <offset>`.
 */
import { writeSync } from 'node:fs';
import type { Block } from '../../src-main/contract/block.ts';
import { AppendFile } from '../../src-main/store/files/AppendFile.ts';
import { JsonLines } from '../../src-main/store/files/JsonLines.ts';
import { replaceFile } from '../../src-main/store/files/replaceFile.ts';
import { acquireLock } from '../../src-main/store/instance/lockFile.ts';
import { BlockFiles } from '../../src-main/store/record/BlockFiles.ts';
import { recoverTerminal } from '../../src-main/store/record/recover.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { systemClock } from '../../src-main/util/Clock.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { begun, ended } from '../store/records.ts';
import { streamBytes } from './streamBytes.ts';

const acknowledge = (line: string): void => void writeSync(3, `${line}\n`);
const folder = new SessionFolder(process.argv[2] ?? '', 't1');
const lock = acquireLock(folder.dataFolder);
if (!lock.ok) throw new Error(`the lock is held by ${lock.pid}`);
folder.create();
const { meta, nextSeq } = await recoverTerminal(folder, { nowMs: Date.now(), log: silentLog });
const deps = { log: silentLog, clock: systemClock };
const raw = AppendFile.open(folder.raw, deps);
const blocks = JsonLines.open<Block>(folder.blocksJsonl, deps);
acknowledge('ready');

async function put(block: Block): Promise<void> {
  acknowledge(`raw ${raw.size}`);
  if (await blocks.append(block)) acknowledge(`block ${JSON.stringify(block)}`);
}

for (let seq = nextSeq; ; seq += 1) {
  const id = `b${seq}`;
  const rawStart = raw.size;
  await put(begun(seq, { rawStart }));
  const files = BlockFiles.open(folder, id, deps);
  for (let piece = 0; piece < 1 + (seq % 7); piece += 1) {
    const bytes = streamBytes(raw.size, 1 + ((seq * 7919 + piece * 104_729) % 40_000));
    raw.append(bytes);
    files.appendText(Buffer.from(`${id} line ${piece}\n`));
    files.appendIndex([{ line: 1024 * (piece + 1), out: piece, src: raw.size, sgr: '' }]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await put(ended(seq, { rawStart, rawEnd: raw.size, outputBytes: raw.size - rawStart }));
  await files.close();
  void blocks.sync();
  await replaceFile(folder.snapshot, JSON.stringify({ seq, rows: Array.from({ length: 50 }, () => 'x'.repeat(100)) }));
  await replaceFile(folder.meta, `${JSON.stringify({ ...meta, title: `block ${seq}` })}\n`);
}
