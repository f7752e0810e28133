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
import { OpenInput } from './terminalInput.ts';
import { notFound, procedure, router } from './trpc.ts';

/** `terminalId/conversationId`. */
const Key = z.string().max(200);
const UsageInput = z.object({
  by: z.enum(['conversation', 'agent', 'project', 'day']),
  sinceMs: z.number().optional(),
  untilMs: z.number().optional(),
  agent: z.string().max(64).optional(),
});

/** Procedures for past conversations, recorded by terminals or imported from agent logs. */
export const pastRouter = router({
  /** Reports what could be imported, and the progress of an import. */
  onChange: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<PastStatus> {
    yield* ctx.core.agents.past.follow(signal);
  }),

  /** Imports new conversations, of all agents or of the named ones. It takes about a second for 100 MB of logs. */
  import: procedure
    .input(z.object({ only: z.array(z.string().max(64)).max(64).optional() }))
    .mutation(({ ctx, input }): Promise<PastImportReport> => ctx.core.agents.past.import(input.only)),

  /** Answers the offer to import, also for all later starts. Resolves when the import is done, if the answer is yes. */
  answer: procedure
    .input(z.object({ isWanted: z.boolean() }))
    .mutation(({ ctx, input }): Promise<void> => ctx.core.agents.past.answer(input.isWanted)),

  /** Reports that another process has imported. */
  changed: procedure.mutation(({ ctx }): void => ctx.core.agents.past.changed()),

  /** Lists conversations, newest first. With a text, only those that contain its words. */
  page: procedure
    .input(PastQuery)
    .query(({ ctx, input }): Promise<PastPage> => ctx.core.agents.past.history.page(input)),

  /** Reads one conversation; null if it does not exist. */
  row: procedure
    .input(z.object({ key: Key }))
    .query(({ ctx, input }): Promise<PastRow | null> => ctx.core.agents.past.history.row(input.key)),

  /** Reads messages of one conversation, in order, from number `from` on. */
  messages: procedure
    .input(z.object({ key: Key, from: z.number().int().min(0).default(0) }))
    .query(({ ctx, input }): Promise<PastMessages> => ctx.core.agents.past.history.messages(input.key, input.from)),

  /** Exports a conversation. `redact` replaces secrets and counts them. */
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

  /** Continues a conversation in a new terminal. */
  continue: procedure
    .input(OpenInput.extend({ key: Key }))
    .mutation(({ ctx, input: { key, ...wish } }): Promise<TerminalView> => ctx.core.agents.past.continue(key, wish)),

  /** Finds the conversation of a terminal that a restart cut off; null if no conversation can continue. */
  lastIn: procedure
    .input(z.object({ terminalId: TerminalId }))
    .query(({ ctx, input }): Promise<PastRow | null> => ctx.core.agents.past.continuing.lastIn(input.terminalId)),

  /** Continues it in the same terminal, or dismisses it. False if there is no conversation to continue. */
  continueHere: procedure
    .input(z.object({ terminalId: TerminalId, isWanted: z.boolean() }))
    .mutation(async ({ ctx, input }): Promise<boolean> => {
      if (input.isWanted) return ctx.core.agents.past.continueHere(input.terminalId);
      await ctx.core.agents.past.continuing.dismiss(input.terminalId);
      return false;
    }),

  /** Sums up tokens, cost and time from agent logs; null before the first import. */
  usage: procedure.input(UsageInput).query(({ ctx, input }): UsageReport | null => ctx.core.agents.past.usage(input)),
});
