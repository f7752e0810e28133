import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Block } from '../../../contract/block.ts';
import { restedPath } from '../../../store/files/openRecordFile.ts';
import { aboutRef, BlockRef, splitRef, WaitMs } from '../../protocol/inputs.ts';
import { defineTool, type ToolAnswer, type ToolCall, WAITS } from '../../protocol/Tool.ts';
import type { OutsideTerminal } from '../../read/McpRecord.ts';
import { ticketAnswer } from '../terminal/execAnswer.ts';
import { blockFacts, blockTold, leanAnswer, previewFacts, previewOf } from './blockSummary.ts';

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
    // the named terminal is visible to the caller; a command that waits in another terminal is not reported
    const ticket = found?.terminalId === terminalId ? found : null;
    if (ticket && ticket.block === null) return ticketAnswer(ticket);
    if (!ticket && wait_ms > 0) await ended(terminalId, blockId, { waitMs: wait_ms, call });
    return await blockAnswer(terminalId, blockId, { call, isFull: full });
  },
});

/** A block with its preview and links to the rest. */
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
      ...previewFacts(preview),
      preview_omitted_lines: preview.omitted,
      raw_range: { from: block.rawStart, to: block.rawEnd },
      files: filesOf(terminal, block),
      resource: `term://block/${facts.block_id}/output`,
    },
    told: { ...blockTold(block), ...envHint(block), preview_head: preview.head, preview_tail: preview.tail },
    redactions: preview.redactions,
  };
}

/** The existing files of the block's record on the person's machine; an archived file has another extension. */
function filesOf({ folder }: OutsideTerminal, { id }: Block): Record<string, string> {
  const paths = { out: folder.out(id), raw: folder.raw, snapshot: folder.snapshot };
  const there = Object.entries(paths).map(([name, path]) => [name, [path, restedPath(path)].find(existsSync)] as const);
  return Object.fromEntries(there.flatMap(([name, path]) => (path === undefined ? [] : [[name, resolve(path)]])));
}

/** Facts about where the command ran besides its folder: the git branch, and the nested shell or remote that it was sent to. */
function envHint({ gitBranch, nested }: Block): { env_hint?: Record<string, string> } {
  const hint = { ...(gitBranch !== undefined && { git_branch: gitBranch }), ...(nested !== undefined && { nested }) };
  return Object.keys(hint).length === 0 ? {} : { env_hint: hint };
}

/** Resolves when the block ends, after `waitMs`, or when the call is aborted. */
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
