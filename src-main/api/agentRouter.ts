import { z } from 'zod';
import {
  AgentAnswer,
  type AgentRow,
  type AgentsChange,
  type AnswerVerdict,
  type InterruptVerdict,
  type ReplyVerdict,
} from '../contract/agents.ts';
import type { AgentChoice } from '../contract/api.ts';
import { TerminalId } from '../contract/ids.ts';
import { OnMachine } from '../contract/machines.ts';
import { type KnownAgent, StartAgent, type StartVerdict } from '../contract/startAgent.ts';
import type { TerminalView } from '../contract/terminal.ts';
import { type RemovalVerdict, type RepositoryChoices, WorktreeRemoval } from '../contract/worktrees.ts';
import { changesRouter } from './changesRouter.ts';
import { pastRouter } from './pastRouter.ts';
import { OpenInput } from './terminalInput.ts';
import { procedure, router } from './trpc.ts';

/** A longer prompt is a clipboard mistake, such as a whole file. */
const MAX_REPLY_CHARS = 200_000;

/** Agents that can be started, all agents of open terminals, and those that ended within a day. */
export const agentRouter = router({
  /** Past conversations, recorded or imported. */
  past: pastRouter,
  /** The changes that agents made in their folders. */
  changes: changesRouter,

  /** Agents that are installed here. */
  list: procedure.input(OnMachine.optional()).query(({ ctx }): Promise<AgentChoice[]> => ctx.core.opening.agents()),

  /** Opens a terminal and starts the agent of that name in it. */
  open: procedure
    .input(OpenInput.extend({ name: z.string().max(64) }))
    .mutation(({ ctx, input }): Promise<TerminalView> => ctx.core.opening.agent(input)),

  /** Lists every agent that Hansard knows, and how to install the missing ones. */
  known: procedure
    .input(OnMachine.optional())
    .query(({ ctx }): Promise<KnownAgent[]> => ctx.core.opening.knownAgents()),

  /** Starts an agent in a folder or a new work tree of its repository, with a first prompt. */
  start: procedure
    .input(StartAgent.extend(OpenInput.omit({ cwd: true }).shape))
    .mutation(
      ({ ctx, input: { cols, rows, window, ...spec } }): Promise<StartVerdict> =>
        ctx.core.opening.start(spec, { cols, rows, window }),
    ),

  /** Lists the branches and work trees of the repository around a folder. */
  repository: procedure
    .input(OnMachine.extend({ cwd: z.string().min(1).max(4096) }))
    .query(({ ctx, input }): Promise<RepositoryChoices> => ctx.core.opening.repository(input.cwd)),

  /** Removes a work tree that is clean, merged and not used by an open terminal. */
  removeWorktree: procedure
    .input(WorktreeRemoval)
    .mutation(({ ctx, input }): Promise<RemovalVerdict> => ctx.core.opening.removeWorktree(input)),

  /** Lists all agents of open terminals, and those that ended within a day. */
  rows: procedure.query(({ ctx }): Promise<readonly AgentRow[]> => ctx.core.agents.board.list()),

  onChange: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<AgentsChange> {
    yield* ctx.core.agents.board.follow(signal);
  }),

  /**
   * Chooses an option of the question that the person saw, and of no other. May take some seconds, because it checks that the question disappears.
   */
  answer: procedure
    .input(AgentAnswer)
    .mutation(({ ctx, input }): Promise<AnswerVerdict> => ctx.core.agents.answer(input)),

  /** Sends a prompt to the agent, or keeps it until the agent takes input. */
  reply: procedure
    .input(z.object({ terminalId: TerminalId, text: z.string().trim().min(1).max(MAX_REPLY_CHARS) }))
    .mutation(({ ctx, input }): Promise<ReplyVerdict> => ctx.core.agents.reply(input)),

  /** Removes a queued reply and returns its text; null if it was sent already. */
  cancelReply: procedure
    .input(z.object({ id: z.string().max(64) }))
    .mutation(({ ctx, input }): Promise<string | null> => ctx.core.agents.replies.cancel(input.id)),

  interrupt: procedure
    .input(z.object({ terminalId: TerminalId }))
    .mutation(({ ctx, input }): Promise<InterruptVerdict> => ctx.core.agents.interrupt(input.terminalId)),
});
