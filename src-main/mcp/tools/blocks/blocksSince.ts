import { z } from 'zod';
import { BlockStatus } from '../../../contract/block.ts';
import type { ExecResult } from '../../../contract/mcp/exec.ts';
import { ToolFault } from '../../../contract/mcp/mcp.ts';
import { capped, MaxChars, PtyId, WaitMs } from '../../protocol/inputs.ts';
import { SinceWhen, sinceMs } from '../../protocol/sinceWhen.ts';
import { defineTool, type ToolCall, WAITS } from '../../protocol/Tool.ts';
import { notedAnswer } from '../../protocol/watchResult.ts';
import type { McpReadService } from '../../server/McpReadService.ts';
import { ticketAnswer } from '../terminal/execAnswer.ts';
import { leanAnswer, previewOf, type Summary } from './blockSummary.ts';
import { type Found, type Listed, type ListWish, listBlocks } from './listBlocks.ts';

/** States of a command without a block, in addition to `running` for the milliseconds in which it begins. */
const UNSTARTED = ['queued', 'awaiting_approval', 'held', 'failed_to_start', 'cancelled', 'denied', 'expired'] as const;

const Input = z.strictObject({
  cursor: z.string().max(5000).optional(),
  pty_id: z.optional(PtyId),
  actor: z.enum(['user', 'agent']).optional(),
  status: z.enum([...BlockStatus.options, ...UNSTARTED, 'failed', 'succeeded']).optional(),
  failed: z.boolean().default(false).describe('true: only what ended with another exit code than 0'),
  since: SinceWhen.optional(),
  limit: capped(1, 200, 50),
  wait_ms: WaitMs,
  preview_lines: capped(0, 40, 5),
  newest_first: z.boolean().default(false),
  max_chars: MaxChars,
});
type Input = z.infer<typeof Input>;

export const blocksSince = defineTool({
  name: 'blocks_since',
  aliases: ['blocks.since', 'blocks.list'],
  title: 'What was run',
  description:
    'Commands of all terminals (or one) as summaries: command, folder, exit code, times, lines printed, the first and last few of them; your own that wait or never ran too. failed, status and since ("1h") narrow it. Without cursor the newest (newest_first or older_cursor page back); with resume_cursor only what began, ended or changed since; wait_ms waits for that. blocks_get with full has all that is known of one. reset: the cursor was of an earlier life.',
  hints: WAITS,
  profile: 'observe',
  scope: 'observe',
  isWait: ({ wait_ms }) => wait_ms > 0,
  input: Input,
  everywhere: { list: ({ pty_id }) => (pty_id === undefined ? 'blocks' : null), timeoutMs: 10_000, follows: true },
  inputAliases: { after: 'cursor', resume_cursor: 'cursor', max_blocks: 'limit' },
  about: ({ pty_id = null }) => ({ terminalId: pty_id, what: 'commands' }),
  async run(input, call) {
    const { desk, signal, caller } = call;
    const wish = wishOf(input, desk.nowMs());
    let found = await listBlocks(wish, call);
    const endMs = performance.now() + input.wait_ms;
    while (found.listed.length === 0 && !signal.aborted && performance.now() < endMs) {
      await changed(desk, endMs - performance.now(), signal);
      found = await listBlocks({ ...wish, cursor: found.cursor }, call);
    }
    const fresh = desk.notify.fresh(caller.name);
    const noted = fresh.length > 0 ? notedAnswer(fresh) : null;
    const shown = await fitting(found, wish, call);
    found = shown.found;
    const all = shown.summaries;
    return {
      facts: {
        blocks: all.map(({ facts }) => facts),
        resume_cursor: found.cursor,
        ...(found.older !== null && found.older !== found.cursor && { older_cursor: found.older }),
        has_more: found.hasMore,
        reset: found.isReset,
        ...noted?.facts,
      },
      told: { blocks: all.map(({ told }) => told), ...noted?.told },
      redactions: all.reduce((sum, { redactions }) => sum + redactions, noted?.redactions ?? 0),
    };
  },
});

function wishOf(
  { failed, status, since, ...input }: Input,
  nowMs: number,
): ListWish & Pick<Input, 'preview_lines' | 'max_chars'> {
  if (failed && status !== undefined && status !== 'failed')
    throw new ToolFault('BAD_INPUT', `failed: true and status "${status}" exclude each other`, 'give one of them');
  return { ...input, status: failed ? 'failed' : status, sinceMs: sinceMs(since, nowMs) };
}

/** Takes as many as fit, at least one. The next page begins with the first one left out. */
async function fitting(
  found: Found,
  wish: ReturnType<typeof wishOf>,
  call: ToolCall,
): Promise<{ found: Found; summaries: Summary[] }> {
  const summaries = await Promise.all(found.listed.map((one) => summaryOf(one, wish.preview_lines, call)));
  const isOldestFirst = !wish.newest_first && found.older === null && wish.cursor !== undefined;
  const inOrder = isOldestFirst || wish.newest_first ? summaries : summaries.toReversed();
  let room = wish.max_chars;
  const tooMany = inOrder.findIndex(({ facts, told }, at) => {
    room -= JSON.stringify(facts).length + JSON.stringify(told).length;
    return room < 0 && at > 0;
  });
  return tooMany < 0 ? { found, summaries } : fitting(await listBlocks({ ...wish, limit: tooMany }, call), wish, call);
}

async function summaryOf({ block, ticket }: Listed, previewLines: number, { desk }: ToolCall): Promise<Summary> {
  if (ticket) return ticketSummary(ticket);
  return leanAnswer(block, await previewOf(desk.record.terminal(block.terminalId), block, previewLines));
}

/** Describes a command without a block: its state, and why it waits. */
function ticketSummary(ticket: ExecResult): Summary {
  const { facts, told } = ticketAnswer(ticket);
  const { next: _, pending_block_id: __, ...own } = facts;
  return { facts: { ...own, actor: 'agent', client: ticket.client }, told: told ?? {}, redactions: 0 };
}

function changed({ feed }: McpReadService, waitMs: number, signal: AbortSignal): Promise<void> {
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
