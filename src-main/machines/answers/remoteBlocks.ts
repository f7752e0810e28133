import { z } from 'zod';
import type { BlockChange, Divider, FindHit } from '../../contract/api.ts';
import { Block, type StyledLine } from '../../contract/block.ts';
import { Id, MAX_STATE_CHARS, Offset, Path, Short, Text, Time } from './remoteValues.ts';

/** Blocks in one answer, and lines of one: a window asks for fewer. */
const MAX_BLOCKS = 10_000;
const MAX_LINES = 10_000;
const MAX_PIECES = 1_000_000;
/** Lines that a card can have: the window computes its height from them. */
const MAX_BLOCK_LINES = 1e10;
const LineCount = z.int().min(0).max(MAX_BLOCK_LINES);

const RemoteBlock = z.object({
  ...Block.shape,
  ...{
    cmd: Text.nullable(),
    cmdRequested: Text.exactOptional(),
    cwd: Path.nullable(),
    gitBranch: Short.exactOptional(),
  },
  ...{ actor: Short.default('user'), startedMs: Time, endedMs: Time.nullable().default(null) },
  ...{ durationMs: Time.nullable().default(null), signal: Short.exactOptional(), outputLines: LineCount.default(0) },
  ...{ agentSessionId: Short.exactOptional(), nested: Short.exactOptional() },
});

const RemoteDivider = z.object({
  ...{ kind: z.enum(['cleared', 'restored', 'gap', 'exited']), afterSeq: Offset, atMs: Time, text: Short },
}) satisfies z.ZodType<Divider, unknown>;

export const RemoteBlockChange = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['open', 'change', 'close']), block: RemoteBlock }),
  z.object({ type: z.literal('output'), blockId: Id, outputBytes: Offset, outputLines: LineCount }),
  z.object({ type: z.literal('divider'), divider: RemoteDivider }),
]) satisfies z.ZodType<BlockChange, unknown>;

export const RemoteBlockPage = z.object({ blocks: z.array(RemoteBlock).max(MAX_BLOCKS), more: z.boolean() });
export const RemoteDividers = z.array(RemoteDivider).max(MAX_BLOCKS);

/** It becomes a part of a style. */
const Color = z.union([z.int().min(0).max(255), z.string().regex(/^#[0-9a-f]{6}$/i)]).exactOptional();
const Is = z.literal(true).exactOptional();
const Span = z.object({
  ...{ text: z.string().max(MAX_STATE_CHARS), fg: Color, bg: Color, bold: Is, dim: Is, italic: Is, underline: Is },
  underlineStyle: z.enum(['double', 'curly', 'dotted', 'dashed']).exactOptional(),
  ...{ underlineColor: Color, inverse: Is, strike: Is, hidden: Is, href: Text.exactOptional() },
});

/** An image is no larger than any that a core reads from its program's output. */
const Px = z.number().min(0).max(1e6);
const Image = z.object({
  ...{ from: Offset, to: Offset, width: Px, height: Px, shownWidth: Px, shownHeight: Px, stretched: z.boolean() },
  ...{ crop: z.object({ x: Px, y: Px, width: Px, height: Px }).nullable(), before: Offset },
});
const Cells = z.int().min(0).max(1_000);
const Slice = z.object({ image: Image, row: Cells, left: z.int().min(-1_000).max(1_000), first: Cells, count: Cells });

const Line = z.object({
  ...{ n: LineCount, spans: z.array(Span).max(MAX_PIECES) },
  images: z.array(Slice).max(MAX_PIECES).exactOptional(),
}) satisfies z.ZodType<StyledLine, unknown>;
const Lines = z.array(Line).max(MAX_LINES);

export const RemoteBlockLines = z.object({ lines: Lines, total: LineCount, exact: z.boolean() });
const Verdict = { truncated: z.boolean(), error: Text.nullable() };
export const RemoteFilter = z.object({ lines: Lines, matches: z.array(LineCount).max(MAX_LINES), ...Verdict });

const Hit = z.object({
  ...{ blockId: Id, n: LineCount, start: Offset, end: Offset },
}) satisfies z.ZodType<FindHit, unknown>;
export const RemoteFind = z.object({ hits: z.array(Hit).max(MAX_LINES), ...Verdict });
