import { z } from 'zod';
import { ToolFault } from '../../../contract/mcp/mcp.ts';
import { BlockRef, PtyId, refOf, splitRef } from '../../protocol/inputs.ts';
import { defineTool } from '../../protocol/Tool.ts';

export const ptyInterrupt = defineTool({
  name: 'pty_interrupt',
  aliases: ['pty.interrupt'],
  title: 'Stop your command',
  description:
    'Takes a command of yours out of the queue, or sends Ctrl-C to it when it runs. Only what you started yourself; what the person or another client started stays as it is. Give block_id or pty_id.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  profile: 'standard',
  scope: 'suggest',
  input: z.strictObject({ block_id: BlockRef.optional(), pty_id: z.optional(PtyId) }),
  about: (input) => ({ terminalId: targetOf(input), what: input.block_id ?? '' }),
  admit(input, { record }) {
    const target = targetOf(input);
    if (target === null || (input.block_id !== undefined && input.pty_id !== undefined))
      throw new ToolFault('BAD_INPUT', 'give block_id or pty_id, and not both', 'block_id is what pty_exec gave');
    record.terminal(target);
  },
  async run(input, { clients, caller, authority, signal }) {
    const { block_id } = input;
    const target = targetOf(input) ?? '';
    const wish = block_id === undefined ? { terminalId: target } : splitRef(block_id);
    const beginWait = (): (() => void) => authority.beginWait(caller);
    const how = { mayInterruptOthers: authority.has(caller, 'input'), signal, beginWait };
    const done = await clients.exec.interrupt(wish, caller, how);
    return { facts: { block_id: refOf(target, done.blockId), action: done.action, status: done.status } };
  },
});

function targetOf({ block_id, pty_id }: { block_id?: string | undefined; pty_id?: string | undefined }): string | null {
  return block_id === undefined ? (pty_id ?? null) : splitRef(block_id).terminalId;
}
