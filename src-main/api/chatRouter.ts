import { z } from 'zod';
import type { ChatDelta, Conversation } from '../contract/chat/chat.ts';
import { TerminalId } from '../contract/ids.ts';
import type { ChatPage } from '../conversations/record/paginate.ts';
import { ChatDeltaSender } from '../shared/chat/chatDeltas.ts';
import { cleanLine } from '../util/cleanText.ts';
import { notFound, procedure, router } from './trpc.ts';

const InTerminal = z.object({ terminalId: TerminalId });
const One = InTerminal.extend({ conversationId: z.string().max(128) });
/** Messages per request; a window requests further pages. */
const MAX_PAGE = 500;
const MAX_LISTED = 1000;
const MAX_TITLE_CHARS = 200;

/** Recorded conversations. */
export const chatRouter = router({
  /** Newest first; without a terminal, of all terminals including closed ones. */
  list: procedure
    .input(
      z.object({ terminalId: z.optional(TerminalId), limit: z.number().int().min(1).max(MAX_LISTED).default(100) }),
    )
    .query(({ ctx, input }): Promise<Conversation[]> => ctx.core.chats.list(input)),

  /** Yields the conversations of an open terminal, then their changes. A message that was sent before comes as a delta. */
  onChange: procedure.input(InTerminal).subscription(async function* ({
    ctx,
    input,
    signal,
  }): AsyncGenerator<ChatDelta> {
    const sender = new ChatDeltaSender();
    for await (const change of ctx.core.chats.follow(input.terminalId, signal)) {
      const delta = sender.next(change);
      if (delta) yield delta;
    }
  }),

  /** Ascending by order; without `beforeOrder` the last ones. */
  page: procedure
    .input(One.extend({ beforeOrder: z.number().optional(), limit: z.number().int().min(1).max(MAX_PAGE) }))
    .query(({ ctx, input }): Promise<ChatPage> => ctx.core.chats.page(input)),

  /** Clean Markdown of one message or of all, for the clipboard. */
  text: procedure
    .input(One.extend({ messageId: z.string().max(128).optional() }))
    .query(async ({ ctx, input }): Promise<{ text: string }> => {
      const text = await ctx.core.chats.text(input);
      if (text === null) throw notFound('conversation', input.conversationId);
      return { text };
    }),

  /** Gives a conversation a title; '' gives it that of its first prompt again. */
  name: procedure
    .input(
      One.extend({
        title: z
          .string()
          .max(MAX_TITLE_CHARS)
          .transform((text) => cleanLine(text).trim()),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<void> => {
      if (!(await ctx.core.agents.name(input))) throw notFound('conversation', input.conversationId);
    }),

  /** `redact` replaces secrets and counts them. */
  export: procedure
    .input(One.extend({ format: z.enum(['md', 'json', 'jsonl', 'html']), redact: z.boolean().default(true) }))
    .query(async ({ ctx, input }): Promise<{ fileName: string; text: string; redacted: number }> => {
      const file = await ctx.core.chats.exportAs(input);
      if (file === null) throw notFound('conversation', input.conversationId);
      return file;
    }),
});
