import { lstat, rename, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Block } from '../../contract/block.ts';
import type { TerminalMeta } from '../../contract/terminal.ts';
import { systemClock } from '../../util/Clock.ts';
import type { Log } from '../../util/Log.ts';
import { detach } from '../../util/strayErrors.ts';
import { wakeTerminal } from '../archive/restTerminal.ts';
import { asDiskError, nodeDisk } from '../files/Disk.ts';
import { JsonLines } from '../files/JsonLines.ts';
import { recordFileSize } from '../files/openRecordFile.ts';
import { readLinesBackward } from '../files/readBackward.ts';
import { sweepTemporaries } from '../files/sweepTemporaries.ts';
import { cutTornTail } from '../files/tornTail.ts';
import { countOutLines } from './countOutLines.ts';
import { BlockTail } from './readBlocks.ts';
import { readMeta } from './readMeta.ts';
import { readIndex } from './readRecord.ts';
import { cutLateTimes } from './readTimes.ts';
import type { SessionFolder } from './SessionFolder.ts';

/** Least part of blocks.jsonl to read: about 150 blocks, more than a first page shows. */
const TAIL_BYTES = 64 * 1024;
/** A block's text is synced right after its end; one that ended this long before the newest block is on disk, however slow the disk is. */
const TEXT_SYNCED_MS = 30_000;

export interface RecoveredTerminal {
  meta: TerminalMeta;
  /** The newest blocks in their latest version, in the order of seq, without a missing one. `readBlocks` reads older ones. */
  blocks: Block[];
  /** The blocks that were open and are now closed; their `.out` may lack its end, which output.raw has. */
  interrupted: Block[];
  /** Ended blocks whose `.out` lost a part in a power cut; output.raw has it. */
  textLost: Block[];
  /** Offset at which output.raw continues. */
  rawSize: number;
  nextSeq: number;
  /** What was found and repaired, as text. */
  notes: string[];
}

/** A line of events.jsonl. */
type RecoveryEvent =
  | { type: 'torn'; file: string; bytes: number; keptAs: string | null; atMs: number }
  | { type: 'gap'; fromOffset: number; toOffset: number; reason: string; atMs: number }
  | { type: 'interrupted'; blockId: string; seq: number; rawEnd: number; atMs: number }
  | { type: 'recovery'; note: string; atMs: number };

export interface RecoverOptions {
  nowMs: number;
  log: Log;
}

/**
 * Repairs a terminal's folder after any end of the last run: cuts torn tails (and keeps them beside their file),
 * closes open blocks as interrupted, migrates or rebuilds meta.json, and writes all of it to events.jsonl. Reads only the
 * ends of the files. A repair that the disk refuses is noted and skipped; the next start tries again.
 * Rejects if a compressed file cannot be decompressed, which needs room: the terminal must not be written then.
 */
export async function recoverTerminal(
  folder: SessionFolder,
  { nowMs, log }: RecoverOptions,
): Promise<RecoveredTerminal> {
  const report = new Report(nowMs);
  sweepTemporaries(folder.root);
  sweepTemporaries(folder.blocksDir);
  for (const path of [folder.raw, folder.times, folder.screenJsonl]) await setAside(path, report);
  await wakeTerminal(folder);
  for (const path of [
    folder.blocksJsonl,
    folder.events,
    folder.screenJsonl,
    folder.chatJsonl,
    folder.changesJsonl,
    folder.times,
  ])
    await cutTorn(path, report);
  const blocks = await readTail(folder, report);
  const rawSize = await mendRaw(folder, blocks, report);
  await mendTimes(folder, rawSize, report);
  const { meta, notes } = await readMeta(folder, { cwd: blocks.at(-1)?.cwd ?? null });
  for (const text of notes) report.note(text);
  const interrupted: Block[] = [];
  for (const block of blocks.filter(({ status }) => status === 'running')) {
    await cutTorn(folder.idx(block.id), report);
    interrupted.push(await interrupt(folder, block, rawSize));
    report.add(
      { type: 'interrupted', blockId: block.id, seq: block.seq, rawEnd: rawSize, atMs: nowMs },
      `block ${block.seq} was interrupted`,
    );
  }
  await appendAll(folder.blocksJsonl, interrupted, log);
  await appendAll(folder.events, report.events, log);
  return {
    meta,
    blocks: blocks.map((block) => interrupted.find(({ id }) => id === block.id) ?? block),
    interrupted,
    textLost: meta.closedMs === undefined ? await blocksWithLostText(folder, blocks) : [],
    rawSize,
    nextSeq: (blocks.at(-1)?.seq ?? 0) + 1,
    notes: report.notes,
  };
}

/** Findings, as lines for events.jsonl and as text. */
export class Report {
  readonly nowMs: number;
  readonly events: RecoveryEvent[] = [];
  readonly notes: string[] = [];

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  add(event: RecoveryEvent, note: string): void {
    this.events.push(event);
    this.notes.push(note);
  }

  note(note: string): void {
    this.add({ type: 'recovery', note, atMs: this.nowMs }, note);
  }
}

/** Renames a folder, a FIFO or a device in place of a file, so that the terminal can be opened and recorded. Leaves symbolic links alone. */
async function setAside(path: string, report: Report): Promise<void> {
  const found = await lstat(path).catch(() => null); // it does not exist, or its reader reports why it cannot be examined
  if (!found || found.isFile() || found.isSymbolicLink()) return;
  const keptAs = `${path}.bad-${report.nowMs}`;
  try {
    await rename(path, keptAs);
    report.note(`${basename(path)} was not a regular file, and was kept as ${basename(keptAs)}`);
  } catch (thrown) {
    report.note(`${basename(path)} is not a regular file, and could not be moved: ${asDiskError(thrown).reason}`);
  }
}

export async function cutTorn(path: string, report: Report): Promise<void> {
  const file = basename(path);
  await setAside(path, report);
  try {
    const torn = await cutTornTail(path, report.nowMs);
    if (!torn) return;
    const keptAs = torn.keptAs && basename(torn.keptAs);
    const note = `${torn.bytes} torn bytes were cut from the end of ${file}${keptAs ? ` and kept as ${keptAs}` : ''}`;
    report.add({ type: 'torn', file, bytes: torn.bytes, keptAs, atMs: report.nowMs }, note);
  } catch (thrown) {
    report.note(`the torn end of ${file} could not be cut: ${asDiskError(thrown).reason}`);
  }
}

export async function readTail(folder: SessionFolder, report: Report): Promise<Block[]> {
  const tail = new BlockTail();
  const size = await sizeOf(folder.blocksJsonl);
  let isWhole = true;
  for await (const { line, at } of readLinesBackward(folder.blocksJsonl)) {
    tail.take(line);
    if (size - at < TAIL_BYTES || tail.completeCount === 0) continue;
    isWhole = at === 0;
    break;
  }
  if (tail.badLines > 0) report.note(`${tail.badLines} lines at the end of blocks.jsonl could not be read`);
  return tail.blocks({ isWhole });
}

/** A block may refer to bytes of output.raw that a power cut took: extends the file to that length, so that no offset is used twice. */
async function mendRaw(folder: SessionFolder, blocks: readonly Block[], report: Report): Promise<number> {
  const size = await sizeOf(folder.raw);
  const told = Math.max(0, ...blocks.map((block) => block.rawEnd ?? block.rawStart));
  if (told <= size) return size;
  try {
    const file = nodeDisk.open(folder.raw);
    try {
      nodeDisk.truncate(file, told);
    } finally {
      nodeDisk.close(file);
    }
  } catch (thrown) {
    report.note(`output.raw could not be brought to ${told} bytes: ${asDiskError(thrown).reason}`);
    return told;
  }
  const reason = 'not on disk when the last run ended';
  const note = `${told - size} bytes of output were not on disk when the last run ended`;
  report.add({ type: 'gap', fromOffset: size, toOffset: told, reason, atMs: report.nowMs }, note);
  return told;
}

/** Cuts the times of lost bytes. Only a failure is reported, because no byte is lost by it. */
async function mendTimes({ times }: SessionFolder, rawSize: number, report: Report): Promise<void> {
  try {
    await cutLateTimes(times, rawSize);
  } catch (thrown) {
    report.note(`the end of output.times could not be cut: ${asDiskError(thrown).reason}`);
  }
}

/** The real end is unknown: no end time, no duration, no exit code. */
async function interrupt(folder: SessionFolder, block: Block, rawEnd: number): Promise<Block> {
  return {
    ...block,
    status: 'interrupted',
    endedBy: 'recovery',
    exitCode: null,
    rawEnd,
    outputBytes: rawEnd - block.rawStart,
    outputLines: await countOutLines(folder, block.id).catch(() => block.outputLines), // on errors of the disk, the last known count
  };
}

export async function blocksWithLostText(folder: SessionFolder, blocks: readonly Block[]): Promise<Block[]> {
  const newestMs = Math.max(...blocks.map(({ startedMs, endedMs }) => endedMs ?? startedMs));
  const lost: Block[] = [];
  for (const block of blocks) {
    const isRecent = block.endedMs !== null && newestMs - block.endedMs <= TEXT_SYNCED_MS;
    const isLost = isRecent
      ? block.outputBytes > 0 && !(await hasAllText(folder, block))
      : block.outputLines > 0 && (await recordFileSize(folder.out(block.id)).catch(() => 0)) === null;
    if (isLost) lost.push(block);
  }
  return lost;
}

/** Also false if the disk refuses. */
async function hasAllText(folder: SessionFolder, { id, outputLines }: Block): Promise<boolean> {
  try {
    const lastIndexed = (await readIndex(folder, id)).entries.at(-1)?.out ?? 0;
    return (await sizeOf(folder.out(id))) >= lastIndexed && (await countOutLines(folder, id)) === outputLines;
  } catch {
    return false;
  }
}

export async function appendAll<T>(path: string, records: readonly T[], log: Log): Promise<void> {
  if (records.length === 0) return;
  const lines = JsonLines.open<T>(path, { log, clock: systemClock });
  for (const record of records) detach('recover', lines.append(record));
  await lines.sync();
  await lines.close();
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (thrown) {
    if (asDiskError(thrown).code === 'ENOENT') return 0;
    throw thrown;
  }
}
