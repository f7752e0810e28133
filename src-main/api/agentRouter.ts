import { z } from 'zod';
import {
  AgentAnswer,
  type AgentsChange,
  type AnswerVerdict,
  type InterruptVerdict,
  type ReplyVerdict,
} from '../contract/agents.ts';
import { TerminalId } from '../contract/ids.ts';
import { procedure, router } from './trpc.ts';

/** A prompt that holds a whole file is a mistake of the clipboard. */
const MAX_REPLY_CHARS = 200_000;

/** All agents of the open terminals, and those that ended within a day. */
export const agentRouter = router({
  onChange: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<AgentsChange> {
    yield* ctx.core.agents.board.follow(signal);
  }),

  /** Chooses an option of the question that the person saw, and of no other. Takes up to some seconds: it looks whether the question went. */
  answer: procedure
    .input(AgentAnswer)
    .mutation(({ ctx, input }): Promise<AnswerVerdict> => ctx.core.agents.answer(input)),

  /** Sends a prompt to the agent, or keeps it until the agent takes input. */
  reply: procedure
    .input(z.object({ terminalId: TerminalId, text: z.string().trim().min(1).max(MAX_REPLY_CHARS) }))
    .mutation(({ ctx, input }): Promise<ReplyVerdict> => ctx.core.agents.reply(input)),

  /** Takes a reply out of the list; null when it has been sent. */
  cancelReply: procedure
    .input(z.object({ id: z.string().max(64) }))
    .mutation(({ ctx, input }): Promise<string | null> => ctx.core.agents.replies.cancel(input.id)),

  interrupt: procedure
    .input(z.object({ terminalId: TerminalId }))
    .mutation(({ ctx, input }): Promise<InterruptVerdict> => ctx.core.agents.interrupt(input.terminalId)),
});
