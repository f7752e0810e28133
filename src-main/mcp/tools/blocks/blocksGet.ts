import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Block } from '../../../contract/block.ts';
import { restedPath } from '../../../store/files/openRecordFile.ts';
import { aboutRef, BlockRef, splitRef, WaitMs } from '../../protocol/inputs.ts';
import { defineTool, type ToolAnswer, type ToolCall, WAITS } from '../../protocol/Tool.ts';
import type { OutsideTerminal } from '../../read/McpRecord.ts';
import { ticketAnswer } from '../terminal/execAnswer.ts';
import { blockFacts, blockTold, leanAnswer, previewOf } from './blockSummary.ts';

const PREVIEW_LINES = 10;

export const blocksGet = defineTool({
  name: 'blocks_get',
  aliases: ['blocks.get'],
  title: 'One command',
  description:
    'One command: how it ended, and the first and last lines of its output. With wait_ms it waits (at most 55000) until the command has ended: use that after pty_exec in the place of asking again and again. Also for a command that is still queued.',
  hints: WAITS,
  profile: 'observe',
  scope: 'observe',
  isWait: ({ wait_ms }) => wait_ms > 0,
  input: z.strictObject({
    block_id: BlockRef,
    wait_ms: WaitMs,
    full: z.boolean().default(false).describe('all that is known of it, with its files'),
  }),
  about: ({ block_id }) => aboutRef(block_id, 'a command'),
  async run({ block_id, wait_ms, full }, call) {
    const { terminalId, blockId } = splitRef(block_id);
    call.desk.record.terminal(terminalId);
    const found = await call.clients.exec.settled(blockId, wait_ms, call.signal);
    // the terminal that is named is one that may be seen; a command that waits in another is none of the caller's
    const ticket = found?.terminalId === terminalId ? found : null;
    if (ticket && ticket.block === null) return ticketAnswer(ticket);
    if (!ticket && wait_ms > 0) await ended(terminalId, blockId, { waitMs: wait_ms, call });
    return await blockAnswer(terminalId, blockId, { call, isFull: full });
  },
});

/** A block with its preview and where the rest is. */
async function blockAnswer(
  terminalId: string,
  blockId: string,
  { call: { desk }, isFull }: { call: ToolCall; isFull: boolean },
): Promise<ToolAnswer> {
  const terminal = desk.record.terminal(terminalId);
  const block = await desk.record.block(terminalId, blockId);
  const preview = await previewOf(terminal, block, PREVIEW_LINES);
  if (!isFull) return leanAnswer(block, preview);
  const facts = blockFacts(block);
  return {
    facts: {
      ...facts,
      preview_omitted_lines: preview.omitted,
      raw_range: { from: block.rawStart, to: block.rawEnd },
      files: filesOf(terminal, block),
      resource: `term://block/${facts.block_id}/output`,
    },
    told: { ...blockTold(block), ...envHint(block), preview_head: preview.head, preview_tail: preview.tail },
    redactions: preview.redactions,
  };
}

/** Where its record lies on the person's own machine, as far as it does; what is compressed has an ending that says so. */
function filesOf({ folder }: OutsideTerminal, { id }: Block): Record<string, string> {
  const paths = { out: folder.out(id), raw: folder.raw, snapshot: folder.snapshot };
  const there = Object.entries(paths).map(([name, path]) => [name, [path, restedPath(path)].find(existsSync)] as const);
  return Object.fromEntries(there.flatMap(([name, path]) => (path === undefined ? [] : [[name, resolve(path)]])));
}

/** What is known of where it ran besides its folder: the branch there, and the shell or remote that it was given to. */
function envHint({ gitBranch, nested }: Block): { env_hint?: Record<string, string> } {
  const hint = { ...(gitBranch !== undefined && { git_branch: gitBranch }), ...(nested !== undefined && { nested }) };
  return Object.keys(hint).length === 0 ? {} : { env_hint: hint };
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
