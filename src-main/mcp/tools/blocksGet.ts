import { z } from 'zod';
import { BlockRef, splitRef, WaitMs } from '../inputs.ts';
import { defineTool, type ToolAnswer, type ToolCall, WAITS } from '../Tool.ts';
import { blockFacts, blockTold, previewOf } from './blockSummary.ts';
import { ticketAnswer } from './execAnswer.ts';

const PREVIEW_LINES = 10;

export const blocksGet = defineTool({
  name: 'blocks_get',
  aliases: ['blocks.get'],
  title: 'One command',
  description:
    'One block with its summary, where its output stands and what is known of its end. With wait_ms it waits (at most 55000) until the command has ended: use that after pty_exec in the place of asking again and again. Also for a command that still waits in the queue.',
  hints: WAITS,
  profile: 'observe',
  scope: 'observe',
  isWait: ({ wait_ms }) => wait_ms > 0,
  input: z.strictObject({ block_id: BlockRef, wait_ms: WaitMs }),
  async run({ block_id, wait_ms }, call) {
    const { terminalId, blockId } = splitRef(block_id);
    call.desk.record.terminal(terminalId);
    const ticket = await call.clients.exec.settled(blockId, wait_ms, call.signal);
    if (ticket && ticket.block === null) return ticketAnswer(ticket);
    if (!ticket && wait_ms > 0) await ended(terminalId, blockId, { waitMs: wait_ms, call });
    return await blockAnswer(terminalId, blockId, call);
  },
});

/** A block with its preview and where the rest is. */
export async function blockAnswer(terminalId: string, blockId: string, { desk }: ToolCall): Promise<ToolAnswer> {
  const terminal = desk.record.terminal(terminalId);
  const block = await desk.record.block(terminalId, blockId);
  const preview = await previewOf(terminal, block, PREVIEW_LINES);
  const facts = blockFacts(block);
  return {
    facts: {
      ...facts,
      preview_omitted_lines: preview.omitted,
      raw_range: { from: block.rawStart, to: block.rawEnd },
      resource: `term://block/${facts.block_id}/output`,
    },
    told: { ...blockTold(block), preview_head: preview.head, preview_tail: preview.tail },
  };
}

/** Resolves when the block is over, the time is, or the caller is gone. */
async function ended(
  terminalId: string,
  blockId: string,
  { waitMs, call: { desk, signal } }: { waitMs: number; call: ToolCall },
): Promise<void> {
  const isOver = async (): Promise<boolean> => (await desk.record.block(terminalId, blockId)).status !== 'running';
  if (await isOver()) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      following.dispose();
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const following = desk.feed.onChanged(() => void isOver().then((over) => over && done(), done));
    const timer = setTimeout(done, waitMs);
    signal.addEventListener('abort', done, { once: true });
  });
}
