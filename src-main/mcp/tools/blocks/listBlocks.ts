import type { Block } from '../../../contract/block.ts';
import type { ExecResult } from '../../../contract/mcp/exec.ts';
import { ToolFault } from '../../../contract/mcp/mcp.ts';
import { refOf } from '../../protocol/inputs.ts';
import type { ToolCall } from '../../protocol/Tool.ts';
import type { OutsideTerminal } from '../../read/McpRecord.ts';
import { statusOf } from '../terminal/execAnswer.ts';

/** A block, or a command of the caller's own without a block: it waits, or ended without running. */
export type Listed =
  | { readonly block: Block; readonly ticket: null }
  | { readonly block: null; readonly ticket: ExecResult };

export interface ListWish {
  readonly cursor?: string | undefined;
  readonly pty_id?: string | undefined;
  readonly actor?: 'user' | 'agent' | undefined;
  /** States of a block or a request. `failed` and `succeeded` apply to ended ones. */
  readonly status?: string | undefined;
  readonly sinceMs?: number | undefined;
  readonly limit: number;
  readonly newest_first: boolean;
}

export interface Found {
  /** In chronological order, or reversed on request. */
  readonly listed: readonly Listed[];
  readonly cursor: string;
  /** Cursor to older blocks; null if there are none. */
  readonly older: string | null;
  readonly hasMore: boolean;
  readonly isReset: boolean;
}

/**
 * `<epoch>-<n>`: a position in the order in which blocks began, ended or changed; invalid in another epoch of the core. With `-<ms>-<seq>-<block>`
 * appended: all blocks that began before that one, in any epoch; after the oldest one, the first part continues.
 */
const CURSOR = /^[0-9a-f]{1,16}-\d{1,15}(?:-\d{1,15}-\d{1,9}-[\w-]{1,64}\.[\w-]{1,64})?$/;

/** `since` looks through at most this many terminals without a tab. */
const MAX_CLOSED = 20;

/** The position of a listed item in time. */
interface Key {
  readonly ms: number;
  readonly seq: number;
  readonly ref: string;
}

export async function listBlocks(wish: ListWish, call: ToolCall): Promise<Found> {
  const { epoch, n, before } = readCursor(wish.cursor);
  const isOurs = wish.cursor !== undefined && epoch === call.desk.epoch;
  const since = isOurs && !before ? call.desk.feed.since(n) : null;
  if (since) return await changedSince(wish, since, { call, n });
  // read the position first: a change during the read is then listed twice rather than never
  const now = before ? `${epoch}-${n}` : `${call.desk.epoch}-${call.desk.feed.position}`;
  const found = newestOf(await all(wish, call, before), wish.limit, now);
  const isReset = wish.cursor !== undefined && !before;
  if (wish.newest_first) return { ...found, isReset };
  return { ...found, listed: found.listed.toReversed(), cursor: now, isReset };
}

/** Lists the newest blocks, newest first. The cursor leads back while there are older blocks, and then forward from `now`. */
function newestOf(some: readonly Listed[], limit: number, now: string): Found {
  const newest = some.toSorted((a, b) => compare(keyOf(b), keyOf(a)));
  const listed = newest.slice(0, limit);
  const last = newest.length > listed.length ? listed.at(-1) : undefined;
  const older = last ? `${now}-${writeKey(keyOf(last))}` : null;
  return { listed, cursor: older ?? now, older, hasMore: older !== null, isReset: false };
}

async function changedSince(
  wish: ListWish,
  since: readonly { terminalId: string; blockId: string; n: number }[],
  { call, n: from }: { call: ToolCall; n: number },
): Promise<Found> {
  const listed: Listed[] = [];
  const found = (end: number, hasMore: boolean): Found => ({
    listed,
    cursor: `${call.desk.epoch}-${end}`,
    older: null,
    hasMore,
    isReset: false,
  });
  const tickets = new Map(ownTickets(call).map((ticket) => [ticket.blockId, ticket]));
  for (const { terminalId, blockId, n } of since) {
    if (wish.pty_id !== undefined && terminalId !== wish.pty_id) continue;
    const block = await call.desk.record.block(terminalId, blockId).catch(() => null); // private, ephemeral, removed or not begun
    const ticket = tickets.get(blockId);
    const one: Listed | null = block ? { block, ticket: null } : ticket ? { block: null, ticket } : null;
    if (!one || !isWanted(one, wish)) continue;
    if (listed.length === wish.limit && !wish.newest_first) return found(n - 1, true);
    listed.push(one);
  }
  const end = since.at(-1)?.n ?? from;
  return wish.newest_first ? newestOf(listed, wish.limit, `${call.desk.epoch}-${end}`) : found(end, false);
}

/** The wanted blocks older than `before`, one more than the limit per terminal, and all tickets. */
async function all(wish: ListWish, call: ToolCall, before: Key | null): Promise<Listed[]> {
  const { record } = call.desk;
  const terminals = wish.pty_id === undefined ? await terminalsSince(wish, call) : [record.terminal(wish.pty_id)];
  const isIn = (one: Listed): boolean => isWanted(one, wish) && (!before || compare(keyOf(one), before) < 0);
  const found: Listed[] = ownTickets(call)
    .map((ticket): Listed => ({ block: null, ticket }))
    .filter(isIn);
  for (const terminal of terminals) {
    let count = 0;
    for await (const block of record.newestFirst(terminal)) {
      if (call.signal.aborted || count > wish.limit || block.startedMs < (wish.sinceMs ?? 0)) break;
      const one: Listed = { block, ticket: null };
      if (!isIn(one)) continue;
      found.push(one);
      count += 1;
    }
  }
  return found;
}

/** Includes closed terminals, because a command may have failed in a tab that was closed since. */
async function terminalsSince({ sinceMs }: ListWish, { desk: { record } }: ToolCall): Promise<OutsideTerminal[]> {
  return sinceMs === undefined ? record.open() : [...record.open(), ...(await record.closed(MAX_CLOSED))];
}

function ownTickets({ clients, caller, desk }: ToolCall): ExecResult[] {
  return clients.exec.unstarted(caller.name).filter(({ terminalId }) => desk.record.isSeen(terminalId));
}

function isWanted({ block, ticket }: Listed, { pty_id, actor, status, sinceMs = 0 }: ListWish): boolean {
  if ((block ? block.startedMs : ticket.queuedAtMs) < sinceMs) return false;
  if (pty_id !== undefined && (block ?? ticket).terminalId !== pty_id) return false;
  const isPerson = block?.actor === 'user';
  if (actor !== undefined && isPerson !== (actor === 'user')) return false;
  if (status === 'failed') return block ? hasFailed(block) : statusOf(ticket) === 'failed_to_start';
  if (status === 'succeeded') return block?.status === 'completed' && block.exitCode === 0;
  return status === undefined || (block ? block.status : statusOf(ticket)) === status;
}

/** Whether the command ended by itself with a failure. */
function hasFailed({ status, exitCode, signal }: Block): boolean {
  return status === 'completed' && (signal !== undefined || (exitCode !== null && exitCode !== 0));
}

function keyOf({ block, ticket }: Listed): Key {
  if (ticket) return { ms: Math.floor(ticket.queuedAtMs), seq: 0, ref: refOf(ticket.terminalId, ticket.blockId) };
  return { ms: Math.floor(block.startedMs), seq: block.seq, ref: refOf(block.terminalId, block.id) };
}

function compare(a: Key, b: Key): number {
  return a.ms - b.ms || a.seq - b.seq || (a.ref < b.ref ? -1 : Number(a.ref > b.ref));
}

function writeKey({ ms, seq, ref }: Key): string {
  return `${ms}-${seq}-${ref}`;
}

function readCursor(cursor: string | undefined): { epoch: string; n: number; before: Key | null } {
  if (cursor === undefined) return { epoch: '', n: 0, before: null };
  if (!CURSOR.test(cursor))
    throw new ToolFault('BAD_INPUT', 'cursor: a cursor is what an earlier answer gave', 'leave it out for the newest');
  const [epoch = '', n, ms, seq, ...ref] = cursor.split('-');
  const before = ms === undefined ? null : { ms: Number(ms), seq: Number(seq), ref: ref.join('-') };
  return { epoch, n: Number(n), before };
}
