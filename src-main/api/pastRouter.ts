import { z } from 'zod';
import { TerminalId } from '../contract/ids.ts';
import {
  type PastImportReport,
  type PastMessages,
  type PastPage,
  PastQuery,
  type PastRow,
  type PastStatus,
  type UsageReport,
} from '../contract/past.ts';
import type { TerminalView } from '../contract/terminal.ts';
import { OpenInput } from './openInput.ts';
import { notFound, procedure, router } from './trpc.ts';

/** `terminalId/conversationId`. */
const Key = z.string().max(200);
const UsageInput = z.object({
  by: z.enum(['conversation', 'agent', 'project', 'day']),
  sinceMs: z.number().optional(),
  untilMs: z.number().optional(),
  agent: z.string().max(64).optional(),
});

/** What agents and people said before: recorded by terminals, or kept by the agents themselves. */
export const pastRouter = router({
  /** What could be imported, and the import that runs. */
  onChange: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<PastStatus> {
    yield* ctx.core.agents.past.follow(signal);
  }),

  /** Imports what is new, of all agents or of those named. Takes a second for each 100 MB of logs. */
  import: procedure
    .input(z.object({ only: z.array(z.string().max(64)).max(64).optional() }))
    .mutation(({ ctx, input }): Promise<PastImportReport> => ctx.core.agents.past.import(input.only)),

  /** Answers the offer to import, once and for all later starts. Resolves when a wanted import is done. */
  answer: procedure
    .input(z.object({ isWanted: z.boolean() }))
    .mutation(({ ctx, input }): Promise<void> => ctx.core.agents.past.answer(input.isWanted)),

  /** Another process has imported. */
  changed: procedure.mutation(({ ctx }): void => ctx.core.agents.past.changed()),

  /** Conversations, newest first; with a text those that have its words. */
  page: procedure
    .input(PastQuery)
    .query(({ ctx, input }): Promise<PastPage> => ctx.core.agents.past.history.page(input)),

  /** One conversation; null where there is none. */
  row: procedure
    .input(z.object({ key: Key }))
    .query(({ ctx, input }): Promise<PastRow | null> => ctx.core.agents.past.history.row(input.key)),

  /** Messages of one, in order, from number `from` on. */
  messages: procedure
    .input(z.object({ key: Key, from: z.number().int().min(0).default(0) }))
    .query(({ ctx, input }): Promise<PastMessages> => ctx.core.agents.past.history.messages(input.key, input.from)),

  /** `redact` takes secrets out and says how many. */
  export: procedure
    .input(
      z.object({
        ...{ terminalId: TerminalId, conversationId: z.string().max(128) },
        ...{ format: z.enum(['md', 'json', 'jsonl', 'html']), redact: z.boolean().default(true) },
      }),
    )
    .query(async ({ ctx, input }): Promise<{ fileName: string; text: string; redacted: number }> => {
      const file = await ctx.core.agents.past.history.exportAs(input);
      if (file === null) throw notFound('conversation', input.conversationId);
      return file;
    }),

  /** A new terminal in which the agent goes on with a conversation. */
  continue: procedure
    .input(OpenInput.extend({ key: Key }))
    .mutation(({ ctx, input: { key, ...wish } }): Promise<TerminalView> => ctx.core.agents.past.continue(key, wish)),

  /** The conversation that a restart has cut off in a terminal, where it can go on; null where there is none. */
  lastIn: procedure
    .input(z.object({ terminalId: TerminalId }))
    .query(({ ctx, input }): Promise<PastRow | null> => ctx.core.agents.past.continuing.lastIn(input.terminalId)),

  /** Goes on with it in the same terminal, or drops it. False where there is none. */
  continueHere: procedure
    .input(z.object({ terminalId: TerminalId, isWanted: z.boolean() }))
    .mutation(async ({ ctx, input }): Promise<boolean> => {
      if (input.isWanted) return ctx.core.agents.past.continueHere(input.terminalId);
      ctx.core.agents.past.continuing.forget(input.terminalId);
      return false;
    }),

  /** What agents' logs say of tokens, money and time; null where nothing was imported. */
  usage: procedure.input(UsageInput).query(({ ctx, input }): UsageReport | null => ctx.core.agents.past.usage(input)),
});
