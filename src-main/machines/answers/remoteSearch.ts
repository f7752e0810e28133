import { z } from 'zod';
import { BlockStatus } from '../../contract/block.ts';
import { ChatKind } from '../../contract/chat/chat.ts';
import type { SearchEvent } from '../../contract/search.ts';

/** Search results of another machine, as untrusted as its lists. */
const Text = z.string().max(100_000);
const Short = z.string().max(1_000);
const Count = z.number().finite();
const Spans = z.array(z.object({ start: Count, end: Count })).max(1_000);

const Found = {
  ...{ terminalId: Short, id: Short, atMs: Count, hasMore: z.boolean() },
  lines: z.array(z.object({ n: Count, text: Text, column: Count, spans: Spans })).max(20),
};
const Hit = z.discriminatedUnion('type', [
  z.object({
    ...{ type: z.literal('block'), ...Found, cmd: Text.nullable(), cmdSpans: Spans, cwd: Text.nullable() },
    ...{ exitCode: Count.nullable(), status: BlockStatus, isMiddleUnread: z.boolean().exactOptional() },
  }),
  z.object({
    ...{ type: z.literal('message'), ...Found, conversationId: Short, kind: ChatKind, tool: Short.nullable() },
  }),
]);

export const RemoteSearchEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hits'), hits: z.array(Hit).max(1_000), titles: z.record(Short, Text) }),
  z.object({
    ...{ type: z.literal('end'), by: z.enum(['index', 'files']), total: Count.nullable(), isTotalCapped: z.boolean() },
    ...{ next: z.string().max(300).nullable(), indexing: z.object({ seen: Count, all: Count }).nullable() },
    ...{ isResting: z.boolean(), leftOut: Count, error: Text.nullable() },
    notSearched: z.array(z.object({ terminalId: Short, id: Short, lines: z.array(Count).exactOptional() })).max(10_000),
    scanned: z.object({ blocks: Count, bytes: Count, redactions: Count }).exactOptional(),
    unread: z.array(z.object({ path: Text, reason: Text })).max(10_000),
  }),
]) satisfies z.ZodType<SearchEvent, unknown>;
