import { z } from 'zod';
import { BlockStatus } from '../../../contract/block.ts';
import type { ExecResult } from '../../../contract/mcp/exec.ts';
import { capped, PtyId, WaitMs } from '../../protocol/inputs.ts';
import { defineTool, type ToolCall, WAITS } from '../../protocol/Tool.ts';
import { notedAnswer } from '../../protocol/watchResult.ts';
import type { McpReadService } from '../../server/McpReadService.ts';
import { ticketAnswer } from '../terminal/execAnswer.ts';
import { blockFacts, blockTold, previewOf } from './blockSummary.ts';
import { type Listed, listBlocks } from './listBlocks.ts';

/** What a command may be that has no block, besides `running` for the milliseconds in which it begins. */
const UNSTARTED = ['queued', 'awaiting_approval', 'held', 'failed_to_start', 'cancelled', 'denied', 'expired'] as const;

const Input = z.strictObject({
  cursor: z.string().max(200).optional(),
  pty_id: PtyId.optional(),
  actor: z.enum(['user', 'agent']).optional(),
  status: z.enum([...BlockStatus.options, ...UNSTARTED]).optional(),
  limit: capped(1, 200, 50),
  wait_ms: WaitMs,
  preview_lines: capped(0, 40, 5),
  newest_first: z.boolean().default(false),
});
export const blocksSince = defineTool({
  name: 'blocks_since',
  aliases: ['blocks.since', 'blocks.list'],
  title: 'What was run',
  description:
    'Commands of all terminals (or one) as summaries: command, folder, exit code, times, lines printed, the first and last few of them; your own that wait or never ran too. Without cursor the newest (newest_first or older_cursor page back); with resume_cursor only what began, ended or changed since; wait_ms waits for that. reset: the cursor was of an earlier life.',
  hints: WAITS,
  profile: 'observe',
  scope: 'observe',
  isWait: ({ wait_ms }) => wait_ms > 0,
  input: Input,
  about: ({ pty_id = null }) => ({ terminalId: pty_id, what: 'commands' }),
  async run(input, call) {
    const { desk, signal, caller } = call;
    let found = await listBlocks(input, call);
    const endMs = performance.now() + input.wait_ms;
    while (found.listed.length === 0 && !signal.aborted && performance.now() < endMs) {
      await changed(desk, endMs - performance.now(), signal);
      found = await listBlocks({ ...input, cursor: found.cursor }, call);
    }
    const fresh = desk.notify.fresh(caller.name);
    const noted = fresh.length > 0 ? notedAnswer(fresh) : null;
    const all = await Promise.all(found.listed.map((one) => summaryOf(one, input.preview_lines, call)));
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

interface Summary {
  facts: object;
  told: object;
  redactions: number;
}

async function summaryOf({ block, ticket }: Listed, previewLines: number, { desk }: ToolCall): Promise<Summary> {
  if (ticket) return ticketSummary(ticket);
  const { head, tail, omitted, redactions } = await previewOf(
    desk.record.terminal(block.terminalId),
    block,
    previewLines,
  );
  return {
    facts: { ...blockFacts(block), preview_omitted_lines: omitted },
    told: { ...blockTold(block), preview_head: head, preview_tail: tail },
    redactions,
  };
}

/** A command without a block has the form of one that printed nothing. */
function ticketSummary(ticket: ExecResult): Summary {
  const { facts, told } = ticketAnswer(ticket);
  const { next: _, ...own } = facts;
  const never = { exit_code: null, ts_begin: null, ts_end: null, duration_ms: null };
  const nothing = { output_lines: 0, output_bytes: 0, preview_omitted_lines: 0 };
  const about = { seq: null, actor: 'agent', client: ticket.client, ts_queued: ticket.queuedAtMs };
  return {
    facts: { ...own, ...about, ...never, ...nothing },
    told: { ...told, preview_head: [], preview_tail: [] },
    redactions: 0,
  };
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
