import type { Block } from '../../contract/block.ts';
import { machineOf } from '../../shared/machineIds.ts';
import { blockSeq } from '../../terminal/blocks/blockId.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { findId, listKnown, matching, type Named } from './findId.ts';
import { UnreachedMachine } from './LiveCore.ts';
import type { RecordReader } from './RecordReader.ts';
import { byNewest, type ListedRow, type TerminalRow } from './TerminalRow.ts';

/** Argument for the newest one. */
const LAST = 'last';
/** How many blocks an error may list. */
const LISTED = 8;
/** File times may be behind the clock of the blocks: some milliseconds on a local disk, more on another machine's. */
const FILE_TIME_SLACK_MS = 5_000;

/** Finds a terminal by its id, the start of one, or `last` (used last). Throws a CliError if there is none. */
export async function findTerminal(record: RecordReader, wanted: string): Promise<TerminalRow> {
  const listed = await record.listed();
  const exact = wanted === LAST ? await record.newest(listed) : listed.find(({ id }) => id === wanted);
  if (exact) return oneRow(record, exact);
  const near = matching(wanted, listed);
  const rows = await record.rows(near.length > 0 ? near : listed);
  const named = rows.map((row) => ({ id: row.id, label: `${row.name ?? row.shell}  ${row.cwd}`, row }));
  return findId(wanted, named, 'terminal').row;
}

async function oneRow(record: RecordReader, listed: ListedRow): Promise<TerminalRow> {
  const [row] = await record.rows([listed]);
  if (!row) throw new Error('a row for each that is listed');
  return row;
}

/**
 * The newest `limit` blocks of some terminals, oldest first. A terminal is not opened if its files were last written before the oldest found block
 * began, because it cannot have a newer one.
 */
export async function newestBlocks(
  record: RecordReader,
  terminals: readonly ListedRow[],
  limit: number,
): Promise<Block[]> {
  let found: Dated[] = [];
  for (const terminal of byUse(terminals)) {
    const oldest = found[0];
    if (found.length === limit && oldest && isUnusedSince(terminal, oldest.atMs)) continue;
    const own = dated(await firstBlocks(record, terminal, { limit, isOnly: terminals.length === 1 }));
    found = [...found, ...own].sort(byTime).slice(-limit);
  }
  return found.map(({ block }) => block);
}

/**
 * Finds a block by its id, the start of one, or `last`: the command that ended last, because the calling command may itself run in a terminal of
 * Hansard; if no command has ended, the newest one. Throws a CliError if there is none.
 */
export async function findBlock(record: RecordReader, wanted: string, terminals: readonly ListedRow[]): Promise<Block> {
  if (wanted === LAST) return lastBlock(record, terminals);
  const seq = blockSeq(wanted);
  const found: Block[] = [];
  for (const terminal of byUse(terminals)) {
    const query = { ...(seq !== null && { limit: 1, beforeSeq: seq + 1 }), isOnly: terminals.length === 1 };
    for await (const blocks of readable(record, terminal, query)) {
      found.push(...matching(wanted, blocks));
      if (seq !== null || found.some(({ id }) => id === wanted)) break;
    }
  }
  if (found.length === 0) {
    const known = (await newestBlocks(record, terminals, LISTED)).reverse().map(named);
    if (known.length === 0) throw nothingRecorded(record);
    throw new CliError(`no block "${wanted}". The newest are:${listKnown(known)}`, EXIT.noInput);
  }
  return findId(wanted, found.map(named), 'block').block;
}

/** Which pages, and whether the person asked for no other terminal. */
type PagesQuery = Parameters<RecordReader['pages']>[1] & { isOnly: boolean };

/** The pages of a terminal up to an error in its files or of its machine, which is noted: another terminal may have the block. */
async function* readable(
  record: RecordReader,
  terminal: ListedRow,
  { isOnly, ...query }: PagesQuery,
): AsyncGenerator<Block[]> {
  try {
    yield* record.pages(terminal, query);
  } catch (error) {
    if (isOnly || !(error instanceof UnreachedMachine)) return record.passOver(error, terminal.id);
    record.noteUnreached(`${error.message} Its terminals were left out.`);
  }
}

async function lastBlock(record: RecordReader, terminals: readonly ListedRow[]): Promise<Block> {
  let last: Block | null = null;
  for (const terminal of byUse(terminals)) {
    if (last && isEnded(last) && isUnusedSince(terminal, endMs(last))) continue;
    const own = await lastOf(record, terminal, terminals.length === 1);
    if (own && (!last || isLater(own, last))) last = own;
  }
  if (!last) throw nothingRecorded(record);
  return last;
}

function nothingRecorded({ dataFolder }: RecordReader): CliError {
  return new CliError(`nothing is recorded in ${dataFolder} yet. Start \`hansard\` and run a command.`, EXIT.noInput);
}

/** The last ended block, without background output; else the newest of any kind. */
async function lastOf(record: RecordReader, terminal: ListedRow, isOnly: boolean): Promise<Block | null> {
  let newest: Block | null = null;
  for await (const blocks of readable(record, terminal, { isOnly })) {
    newest ??= blocks.at(-1) ?? null;
    const ended = blocks.findLast((block) => isEnded(block) && block.kind !== 'background');
    if (ended) return ended;
  }
  return newest;
}

function isLater(a: Block, b: Block): boolean {
  if (isEnded(a) !== isEnded(b)) return isEnded(a);
  return endMs(a) > endMs(b);
}

function isEnded({ status }: Block): boolean {
  return status !== 'running';
}

function endMs({ endedMs, startedMs }: Block): number {
  return endedMs ?? startedMs;
}

/** A block with its time for sorting. */
interface Dated {
  block: Block;
  atMs: number;
}

/** Within a terminal the order is by seq, even if the clock was set back: a block counts as no older than the one before it. */
function dated(blocks: readonly Block[]): Dated[] {
  let atMs = 0;
  return blocks.map((block) => {
    atMs = Math.max(atMs, block.startedMs);
    return { block, atMs };
  });
}

function byTime(a: Dated, b: Dated): number {
  if (a.atMs !== b.atMs) return a.atMs - b.atMs;
  if (a.block.terminalId !== b.block.terminalId) return a.block.terminalId < b.block.terminalId ? -1 : 1;
  return a.block.seq - b.block.seq;
}

async function firstBlocks(
  record: RecordReader,
  terminal: ListedRow,
  { limit, isOnly }: { limit: number; isOnly: boolean },
): Promise<Block[]> {
  let found: Block[] = [];
  for await (const blocks of readable(record, terminal, { limit, isOnly })) {
    found = [...blocks, ...found];
    if (found.length >= limit) break;
  }
  return found.slice(-limit);
}

/** A terminal of another machine has no files here that would say it. */
function isUnusedSince({ id, usedMs }: ListedRow, atMs: number): boolean {
  return machineOf(id) === null && usedMs + FILE_TIME_SLACK_MS < atMs;
}

function byUse(terminals: readonly ListedRow[]): ListedRow[] {
  return [...terminals].sort(byNewest);
}

function named(block: Block): Named & { block: Block } {
  return { id: block.id, label: `${block.terminalId}  ${block.cmd ?? `(${block.kind})`}`, block };
}
