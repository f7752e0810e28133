import { z } from 'zod';
import { type Block, BlockStatus } from '../../contract/block.ts';
import type { OutsideDesk } from '../../session/outside/OutsideDesk.ts';
import { capped, PtyId, WaitMs } from '../inputs.ts';
import { notedAnswer } from '../noted.ts';
import { defineTool, WAITS } from '../Tool.ts';
import { blockFacts, blockTold, type Preview, previewOf } from './blockSummary.ts';

/** Where a reader stands in the order in which blocks began, ended or changed; of another life of the core it is worth nothing. */
const Cursor = z.string().regex(/^[0-9a-f]{1,16}-\d{1,15}$/, 'a cursor is what an earlier answer gave');

const Input = z.strictObject({
  cursor: Cursor.optional(),
  pty_id: PtyId.optional(),
  actor: z.enum(['user', 'agent']).optional(),
  status: BlockStatus.optional(),
  limit: capped(1, 200, 50),
  wait_ms: WaitMs,
  preview_lines: capped(0, 40, 5),
  newest_first: z.boolean().default(false),
});
type Input = z.infer<typeof Input>;

export const blocksSince = defineTool({
  name: 'blocks_since',
  aliases: ['blocks.since', 'blocks.list'],
  title: 'What was run',
  description:
    'Commands of all terminals (or one) as summaries: command, folder, exit code, times, how many lines it printed and the first and last few of them. Without cursor the newest; with the resume_cursor of the last answer only what began, ended or changed since; wait_ms waits for that. reset: the cursor was of an earlier life, so these are the newest again.',
  hints: WAITS,
  profile: 'observe',
  scope: 'observe',
  isWait: ({ wait_ms }) => wait_ms > 0,
  input: Input,
  async run(input, { desk, signal, caller }) {
    let found = await lookUp(input, desk);
    const endMs = performance.now() + input.wait_ms;
    while (found.blocks.length === 0 && !signal.aborted && performance.now() < endMs) {
      await changed(desk, endMs - performance.now(), signal);
      found = await lookUp({ ...input, cursor: found.cursor }, desk);
    }
    const { blocks } = found;
    const fresh = desk.notify.fresh(caller.name);
    const noted = fresh.length > 0 ? notedAnswer(fresh) : null;
    const previews = await Promise.all(
      blocks.map((block) => previewOf(desk.record.terminal(block.terminalId), block, input.preview_lines)),
    );
    return {
      facts: {
        blocks: blocks.map((block, at) => ({ ...blockFacts(block), ...omittedOf(previews[at]) })),
        resume_cursor: found.cursor,
        has_more: found.hasMore,
        reset: found.isReset,
        ...noted?.facts,
      },
      told: {
        blocks: blocks.map((block, at) => ({ ...blockTold(block), ...linesOf(previews[at]) })),
        ...noted?.told,
      },
    };
  },
});

interface Found {
  blocks: Block[];
  cursor: string;
  hasMore: boolean;
  isReset: boolean;
}

async function lookUp(input: Input, desk: OutsideDesk): Promise<Found> {
  const position = input.cursor === undefined ? null : positionOf(input.cursor, desk);
  const since = position === null ? null : desk.feed.since(position);
  if (since === null) {
    const cursor = cursorAt(desk, desk.feed.position); // first: what changes while we read comes again rather than never
    const blocks = await newest(input, desk);
    return { blocks, cursor, hasMore: false, isReset: input.cursor !== undefined };
  }
  const blocks: Block[] = [];
  for (const { terminalId, blockId, n } of since) {
    if (input.pty_id !== undefined && terminalId !== input.pty_id) continue;
    const block = await desk.record.block(terminalId, blockId).catch(() => null); // private, ephemeral or gone
    if (!block || !isWanted(block, input)) continue;
    if (blocks.length === input.limit)
      return { blocks: order(blocks, input), cursor: cursorAt(desk, n - 1), hasMore: true, isReset: false };
    blocks.push(block);
  }
  const end = since.at(-1)?.n ?? position ?? 0;
  return { blocks: order(blocks, input), cursor: cursorAt(desk, end), hasMore: false, isReset: false };
}

function order(blocks: Block[], { newest_first }: Input): Block[] {
  return newest_first ? blocks.toReversed() : blocks;
}

/** The newest blocks of all that may be seen, in the order of time. */
async function newest(input: Input, desk: OutsideDesk): Promise<Block[]> {
  const terminals = input.pty_id === undefined ? desk.record.open() : [desk.record.terminal(input.pty_id)];
  const found: Block[] = [];
  for (const terminal of terminals) {
    let count = 0;
    for await (const block of desk.record.newestFirst(terminal)) {
      if (!isWanted(block, input)) continue;
      found.push(block);
      count += 1;
      if (count === input.limit) break;
    }
  }
  const byTime = found.sort((a, b) => a.startedMs - b.startedMs || a.seq - b.seq).slice(-input.limit);
  return order(byTime, input);
}

function isWanted(block: Block, { actor, status }: Input): boolean {
  if (actor !== undefined && (block.actor === 'user') !== (actor === 'user')) return false;
  return status === undefined || block.status === status;
}

function positionOf(cursor: string, desk: OutsideDesk): number | null {
  const [epoch, n] = cursor.split('-');
  return epoch === desk.epoch ? Number(n) : null;
}

function cursorAt(desk: OutsideDesk, n: number): string {
  return `${desk.epoch}-${n}`;
}

function changed({ feed }: OutsideDesk, waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      following.dispose();
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const following = feed.onChanged(done);
    const timer = setTimeout(done, waitMs);
    signal.addEventListener('abort', done, { once: true });
  });
}

function omittedOf(preview: Preview | undefined): object {
  return { preview_omitted_lines: preview?.omitted ?? 0 };
}

function linesOf(preview: Preview | undefined): object {
  return { preview_head: preview?.head ?? [], preview_tail: preview?.tail ?? [] };
}
