import { rm } from 'node:fs/promises';
import { z } from 'zod';
import type { Block } from '../../contract/block.ts';
import type { TerminalMeta } from '../../contract/terminal.ts';
import type { Log } from '../../util/Log.ts';
import { readJsonLines } from '../files/readJsonLines.ts';
import { readMeta } from './readMeta.ts';
import { appendAll, blocksWithLostText, cutTorn, Report, readTail } from './recover.ts';
import type { SessionFolder } from './SessionFolder.ts';

/** A line of events.jsonl with a size: a start, a restart or a resize. */
const SizeEvent = z.object({ at: z.number(), cols: z.number().int(), rows: z.number().int() });

export interface ReopenedTerminal {
  meta: TerminalMeta;
  /** Blocks whose output is before `from`, like `RecoveredTerminal.blocks`. */
  blocks: Block[];
  /** Blocks from there on, which the output will create again. Their texts are removed. */
  earlier: Block[];
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
 * them; the core's own files are repaired. The output from `from` on will be processed once more.
 */
export async function reopenTerminal(
  folder: SessionFolder,
  { from, nowMs, log }: { from: number; nowMs: number; log: Log },
): Promise<ReopenedTerminal> {
  const report = new Report(nowMs);
  for (const path of [folder.blocksJsonl, folder.events, folder.screenJsonl, folder.chatJsonl, folder.changesJsonl])
    await cutTorn(path, report);
  const all = await readTail(folder, report);
  const blocks = all.filter(({ rawStart }) => rawStart < from);
  const earlier = all.filter(({ rawStart }) => rawStart >= from);
  const { meta, notes } = await readMeta(folder, { cwd: all.at(-1)?.cwd ?? null });
  for (const text of notes) report.note(text);
  await appendAll(folder.events, report.events, log);
  for (const { id } of earlier)
    for (const path of [folder.out(id), folder.idx(id), folder.ren(id)]) await rm(path, { force: true });
  return {
    meta,
    blocks,
    earlier,
    textLost: await blocksWithLostText(folder, blocks),
    nextSeq: earlier[0]?.seq ?? (all.at(-1)?.seq ?? 0) + 1,
    sizes: await readSizes(folder, meta),
  };
}

/** Reads the sizes that this terminal's screen had. */
async function readSizes(folder: SessionFolder, { cols, rows }: TerminalMeta): Promise<SizeAt[]> {
  const { records } = await readJsonLines(folder.events, (event) => SizeEvent.safeParse(event).data ?? null);
  const sizes = records.flatMap((size) => (size ? [{ offset: size.at, cols: size.cols, rows: size.rows }] : []));
  return sizes.length > 0 ? sizes.sort((a, b) => a.offset - b.offset) : [{ offset: 0, cols, rows }];
}
