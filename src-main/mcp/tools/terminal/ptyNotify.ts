import { z } from 'zod';
import { AgentState } from '../../../contract/chat/chat.ts';
import { ToolFault } from '../../../contract/mcp/mcp.ts';
import { BlockRef, capped, PtyId, splitRef } from '../../protocol/inputs.ts';
import { defineTool } from '../../protocol/Tool.ts';
import { untrustedText } from '../../protocol/untrustedText.ts';
import type { Watch } from '../../read/WatchService.ts';
import { createdTask } from '../../tasks/notifyTask.ts';

const MAX_TTL_S = 86_400;

export const ptyNotify = defineTool({
  name: 'pty_notify',
  aliases: ['pty.notify'],
  title: 'Be told later',
  description:
    'Watches a terminal for longer than a call may take: until search is printed (by a program; immediate says that it stands there already), search_absent is gone, the screen is stable, a block has ended, an agent is in a state, or the program exits. action when, list, cancel. Each watch comes about once: matched, exited or expired. Told in the resource term://inbox/<you>, in the next answer of blocks_since, and as a task (unless as_task is false) or by a channel to a client that has it.',
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  profile: 'standard',
  scope: 'observe',
  input: z.strictObject({
    action: z.enum(['when', 'cancel', 'list']).default('when'),
    id: z.string().max(64).optional(),
    pty_id: z.optional(PtyId),
    search: z.string().min(1).max(512).optional(),
    search_absent: z.string().min(1).max(512).optional(),
    stable_ms: capped(50, 600_000).optional(),
    block_id: BlockRef.optional(),
    agent_state: z.optional(AgentState),
    on_exit: z.boolean().default(true),
    ttl_s: capped(1, MAX_TTL_S, 3600),
    include_snapshot: z.boolean().default(false),
    as_task: z.boolean().default(true),
    message: z.string().max(300).default(''),
  }),
  about: ({ action, id, pty_id, block_id, search, search_absent, message }) => ({
    ...(action === 'when'
      ? {
          terminalId: pty_id ?? (block_id === undefined ? null : splitRef(block_id).terminalId),
          what: (search ?? search_absent ?? message) || 'a watch',
        }
      : { terminalId: null, what: [action, id].filter(Boolean).join(' ') }), // the id is looked up among all watches of the caller
  }),
  insteadThere: 'pty_snapshot_wait waits there, and blocks_get with wait_ms',
  async run(input, { desk: { notify }, caller, takesTasks, push }) {
    if (input.action === 'list') return { facts: { watches: notify.list(caller.name).map(factsOf) } };
    if (input.action === 'cancel') {
      const wasOpen = notify.cancel(input.id ?? '', caller.name);
      if (!wasOpen)
        throw new ToolFault('BAD_INPUT', `there is no open watch "${input.id ?? ''}"`, 'action "list" names them');
      return { facts: { cancelled: input.id } };
    }
    const block = input.block_id === undefined ? null : splitRef(input.block_id);
    const terminalId = input.pty_id ?? block?.terminalId;
    if (terminalId === undefined)
      throw new ToolFault('BAD_INPUT', 'pty_id or block_id says where to watch', 'pty_list names terminals');
    const watch = await notify.when(
      {
        terminalId,
        message: untrustedText(input.message).text,
        ttlMs: input.ttl_s * 1000,
        onExit: input.on_exit,
        search: input.search,
        searchAbsent: input.search_absent,
        stableMs: input.stable_ms,
        blockId: block?.blockId,
        agentState: input.agent_state,
        wantsScreen: input.include_snapshot,
      },
      caller,
      push,
    );
    if (takesTasks && input.as_task) return { task: createdTask(watch) };
    return { facts: { ...factsOf(watch), inbox: `term://inbox/${caller.name}`, ...(push && { channel: true }) } };
  },
});

function factsOf({ id, terminalId, message, untilMs, search }: Watch): object {
  return {
    id,
    pty_id: terminalId,
    message,
    until: untilMs,
    ...(search && { immediate: search.isImmediate, command_lines: search.commandLines }),
  };
}
