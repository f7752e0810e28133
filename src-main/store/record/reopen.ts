import { rm, stat, truncate } from 'node:fs/promises';
import { z } from 'zod';
import { type Block, INDEX_EVERY_LINES } from '../../contract/block.ts';
import type { TerminalMeta } from '../../contract/terminal.ts';
import type { Log } from '../../util/Log.ts';
import { readJsonLines } from '../files/readJsonLines.ts';
import { openRegular } from '../files/readPiece.ts';
import { replaceFile } from '../files/replaceFile.ts';
import type { IndexHeader, IndexLine } from './indexLines.ts';
import { readMeta } from './readMeta.ts';
import { readIndex } from './readRecord.ts';
import { appendAll, blocksWithLostText, cutTorn, Report, readTail } from './recover.ts';
import type { SessionFolder } from './SessionFolder.ts';

const HOLE_PIECE_BYTES = 256 * 1024;

/** A line of events.jsonl with a size: a start, a restart or a resize. */
const SizeEvent = z.object({ at: z.number(), cols: z.number().int(), rows: z.number().int() });

export interface ReopenedTerminal {
  meta: TerminalMeta;
  /** Blocks of earlier shells, and those whose output is before `from`, like `RecoveredTerminal.blocks`. */
  blocks: Block[];
  /** Blocks of this shell from there on, which the output will create again. Their texts are removed, except for `kept`. */
  earlier: Block[];
  /** Text of the running command, which need not be read again up to the last entry of its index. */
  kept: { id: string; index: IndexLine[] } | null;
  /** The `blocks` whose text was cut when the earlier core ended. */
  textLost: Block[];
  nextSeq: number;
  /** Sizes of the screen with the offsets from which they apply, ascending. */
  sizes: SizeAt[];
}

export interface SizeAt {
  offset: number;
  cols: number;
  rows: number;
}

/**
 * Opens the folder of a terminal whose shell has outlived its core. output.raw and output.times belong to the process that writes
 * them; the core's own files are repaired. The output from `from` on will be processed once more; that of this shell begins at `start`.
 */
export async function reopenTerminal(
  folder: SessionFolder,
  { start, from, nowMs, log }: { start: number; from: number; nowMs: number; log: Log },
): Promise<ReopenedTerminal> {
  const report = new Report(nowMs);
  for (const path of [folder.blocksJsonl, folder.events, folder.screenJsonl, folder.chatJsonl, folder.changesJsonl])
    await cutTorn(path, report);
  const all = await readTail(folder, report);
  // An earlier shell's last command may have printed nothing: it then begins and ends where this shell starts.
  const isDone = ({ rawStart, rawEnd }: Block) => rawStart < from || (rawEnd !== null && rawEnd <= start);
  const blocks = all.filter(isDone);
  const earlier = all.filter((block) => !isDone(block));
  const { meta, notes } = await readMeta(folder, { cwd: all.at(-1)?.cwd ?? null });
  for (const text of notes) report.note(text);
  await appendAll(folder.events, report.events, log);
  const running = earlier.at(-1);
  const kept = running ? await keepText(folder, running) : null;
  for (const { id } of earlier)
    for (const path of [folder.out(id), folder.idx(id), folder.ren(id)])
      if (id !== kept?.id) await rm(path, { force: true });
  return {
    meta,
    blocks,
    earlier,
    kept,
    textLost: await blocksWithLostText(folder, blocks),
    nextSeq: earlier[0]?.seq ?? (all.at(-1)?.seq ?? 0) + 1,
    sizes: await readSizes(folder, meta),
  };
}

/**
 * Cuts the files of the running command to the last entry of its index, so that its text continues there. Null if there is no
 * such entry, or if the disk refused a part of the text or refuses the cut: then the whole text is made again.
 */
async function keepText(
  folder: SessionFolder,
  { id, kind, status, rawStart }: Block,
): Promise<ReopenedTerminal['kept']> {
  if (kind !== 'command' || status !== 'running') return null;
  try {
    const { source, entries } = await readIndex(folder, id);
    const { size } = await stat(folder.out(id));
    const last = entries.findLastIndex(({ line, out }) => line % INDEX_EVERY_LINES === 0 && out <= size);
    const index = entries.slice(0, last + 1);
    const end = index.at(-1);
    if (source !== 'raw' || !end || end.src < rawStart) return null;
    await truncate(folder.out(id), end.out);
    if (await hasHole(folder.out(id), end.out)) return null;
    const header: IndexHeader = { version: 1, source };
    const lines = [header, ...index].map((line) => `${JSON.stringify(line)}\n`);
    await replaceFile(folder.idx(id), lines.join(''), { fsync: false });
    return { id, index };
  } catch {
    return null; // most commands have no index
  }
}

/** True if the file has fewer bytes than `size`, or bytes that the disk refused: these are zeros, of which text has none. */
async function hasHole(path: string, size: number): Promise<boolean> {
  const file = await openRegular(path);
  try {
    const piece = Buffer.allocUnsafe(HOLE_PIECE_BYTES); // reused: buffers for all of the file cost more than the reading
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, size - at), at);
      if (bytesRead === 0 || piece.subarray(0, bytesRead).includes(0)) return true;
      at += bytesRead;
    }
    return false;
  } finally {
    await file.close();
  }
}

/** Reads the sizes that this terminal's screen had. */
async function readSizes(folder: SessionFolder, { cols, rows }: TerminalMeta): Promise<SizeAt[]> {
  const { records } = await readJsonLines(folder.events, (event) => SizeEvent.safeParse(event).data ?? null);
  const sizes = records.flatMap((size) => (size ? [{ offset: size.at, cols: size.cols, rows: size.rows }] : []));
  return sizes.length > 0 ? sizes.sort((a, b) => a.offset - b.offset) : [{ offset: 0, cols, rows }];
}
