import { z } from 'zod';
import { BlockId, TerminalId } from '../contract/ids.ts';
import { type AgentPresence, ApprovalAnswer, type ApprovalChange } from '../contract/mcp/approval.ts';
import { procedure, router } from './trpc.ts';

const One = z.object({ id: z.string().min(1).max(64) });
const There = z.object({ terminalId: TerminalId });

/** What outside clients want to do and do, for the person. No client of the MCP socket reaches this: it comes by the window or the command line. */
export const approvalRouter = router({
  /** All that is open, then each that is asked or gone. One that is asked again has another time at which it expires. */
  onChange: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<ApprovalChange> {
    yield* ctx.core.clients.approvals.follow(signal);
  }),

  /** A window shows it for the first time: from now on the person has the whole time. */
  shown: procedure.input(One).mutation(({ ctx, input }): void => ctx.core.clients.approvals.shown(input.id)),

  /** False when it is not open any more, or offers no such choice. */
  answer: procedure
    .input(One.extend({ answer: ApprovalAnswer }))
    .mutation(({ ctx, input }): boolean => ctx.core.clients.approvals.answer(input.id, input.answer)),

  /** What clients do in which terminal: those where one does something, then each change. */
  presence: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<AgentPresence> {
    yield* ctx.core.clients.followPresence(signal);
  }),

  /** No client types there any more. False when none did. */
  takeBack: procedure
    .input(There)
    .mutation(({ ctx, input }): boolean => ctx.core.clients.leases.takeBack(input.terminalId)),

  /** The client that had handed it to the person may go on. */
  giveBack: procedure
    .input(There)
    .mutation(({ ctx, input }): boolean => ctx.core.clients.leases.giveBack(input.terminalId)),

  /** Takes a command out of the queue. False when it does not wait any more. */
  cancel: procedure
    .input(z.object({ blockId: BlockId }))
    .mutation(({ ctx, input }): boolean => ctx.core.clients.exec.cancel(input.blockId)),
});
