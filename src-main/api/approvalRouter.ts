import { z } from 'zod';
import { BlockId, TerminalId } from '../contract/ids.ts';
import { type AgentPresence, ApprovalAnswer, type ApprovalChange } from '../contract/mcp/approval.ts';
import { procedure, router } from './trpc.ts';

const One = z.object({ id: z.string().min(1).max(64) });
const There = z.object({ terminalId: TerminalId });

/**
 * Requests and activity of outside clients, for the person. Clients of the MCP socket cannot reach this router: only the window and the command line
 * can.
 */
export const approvalRouter = router({
  /** Yields all open approvals, then each new or closed one. A repeated approval has a new expiry time. */
  onChange: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<ApprovalChange> {
    yield* ctx.core.clients.approvals.follow(signal);
  }),

  /** Call when a window shows the approval for the first time: its full time starts now. */
  shown: procedure.input(One).mutation(({ ctx, input }): void => ctx.core.clients.approvals.shown(input.id)),

  /** False if the approval is no longer open or does not offer that choice. */
  answer: procedure
    .input(One.extend({ answer: ApprovalAnswer }))
    .mutation(({ ctx, input }): boolean => ctx.core.clients.approvals.answer(input.id, input.answer)),

  /** Yields the terminals in which clients are active, then each change. */
  presence: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<AgentPresence> {
    yield* ctx.core.clients.followPresence(signal);
  }),

  /** Ends a client's lease on that terminal. False without one. */
  takeBack: procedure
    .input(There)
    .mutation(({ ctx, input }): boolean => ctx.core.clients.leases.takeBack(input.terminalId)),

  /** Returns the terminal to the client that had handed it to the person. */
  giveBack: procedure
    .input(There)
    .mutation(({ ctx, input }): boolean => ctx.core.clients.leases.giveBack(input.terminalId)),

  /** Removes a command from the queue. False if it no longer waits. */
  cancel: procedure
    .input(z.object({ blockId: BlockId }))
    .mutation(({ ctx, input }): boolean => ctx.core.clients.exec.cancel(input.blockId)),
});
