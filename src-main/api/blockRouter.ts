import { z } from 'zod';
import type { BlockChange, Divider, FindHit, OpenPlaceVerdict, RerunVerdict } from '../contract/api.ts';
import type { Block, StyledLine } from '../contract/block.ts';
import { BlockId, TerminalId } from '../contract/ids.ts';
import { rerunBlock } from '../terminal/blocks/rerunBlock.ts';
import { procedure, router } from './trpc.ts';

const InTerminal = z.object({ terminalId: TerminalId });
const One = InTerminal.extend({ blockId: BlockId });
/** Lines per request; a window requests further pages. */
const MAX_LINES = 2000;
const MAX_IMAGE_PIECE_BYTES = 512 * 1024;
const Offset = z.number().int().nonnegative();

export const blockRouter = router({
  /** In ascending order of seq; without `beforeSeq` the newest. */
  page: procedure
    .input(InTerminal.extend({ beforeSeq: z.number().int().optional(), limit: z.number().int().min(1).max(10_000) }))
    .query(
      ({ ctx, input }): Promise<{ blocks: Block[]; more: boolean }> =>
        ctx.core.terminal(input.terminalId).book.page(input),
    ),

  onChange: procedure.input(InTerminal).subscription(async function* ({
    ctx,
    input,
    signal,
  }): AsyncGenerator<BlockChange> {
    yield* ctx.core.terminal(input.terminalId).book.follow(signal);
  }),

  dividers: procedure
    .input(InTerminal)
    .query(({ ctx, input }): Promise<readonly Divider[]> => ctx.core.terminal(input.terminalId).book.dividers.all()),

  /** A negative `from` counts from the end. */
  lines: procedure
    .input(One.extend({ from: z.number().int(), count: z.number().int().min(1).max(MAX_LINES) }))
    .query(
      ({ ctx, input }): Promise<{ lines: StyledLine[]; total: number; exact: boolean }> =>
        ctx.core.terminal(input.terminalId).book.reader.lines(input.blockId, input.from, input.count),
    ),

  /** A piece of output.raw that an image is in, at most 512 KiB: see `ImageRef`. */
  imageBytes: procedure
    .input(InTerminal.extend({ from: Offset, to: Offset }).refine(({ from, to }) => to - from <= MAX_IMAGE_PIECE_BYTES))
    .query(
      ({ ctx, input }): Promise<{ base64: string }> =>
        ctx.core.terminal(input.terminalId).book.reader.imageBytes(input),
    ),

  filter: procedure
    .input(
      One.extend({
        pattern: z.string().max(512),
        invert: z.boolean().default(false),
        context: z.number().int().min(0).max(20).default(0),
        limit: z.number().int().min(1).max(MAX_LINES).default(500),
      }),
    )
    .query(
      ({ ctx, input }): Promise<{ lines: StyledLine[]; matches: number[]; truncated: boolean; error: string | null }> =>
        ctx.core.terminal(input.terminalId).book.search.filter(input.blockId, input),
    ),

  find: procedure
    .input(
      InTerminal.extend({
        blockId: z.optional(BlockId),
        query: z.string().min(1).max(512),
        regex: z.boolean().default(false),
        limit: z.number().int().min(1).max(MAX_LINES).default(500),
      }),
    )
    .query(
      ({ ctx, input }): Promise<{ hits: FindHit[]; truncated: boolean; error: string | null }> =>
        ctx.core.terminal(input.terminalId).book.search.find(input),
    ),

  text: procedure
    .input(One.extend({ what: z.enum(['output', 'command', 'both', 'markdown']) }))
    .query(
      ({ ctx, input }): Promise<{ text: string; truncated: boolean }> =>
        ctx.core.terminal(input.terminalId).book.reader.text(input.blockId, input.what),
    ),

  export: procedure
    .input(One.extend({ format: z.enum(['txt', 'md', 'ansi']) }))
    .query(
      ({ ctx, input }): Promise<{ fileName: string; text: string; truncated: boolean }> =>
        ctx.core.terminal(input.terminalId).book.reader.exportAs(input.blockId, input.format),
    ),

  setBookmarked: procedure
    .input(One.extend({ bookmarked: z.boolean() }))
    .mutation(({ ctx, input }) =>
      ctx.core.terminal(input.terminalId).book.setBookmarked(input.blockId, input.bookmarked),
    ),

  openInEditor: procedure
    .input(One)
    .mutation(
      ({ ctx, input }): Promise<{ opened: boolean; text: string }> =>
        ctx.core.opening.inEditor(input.terminalId, input.blockId),
    ),

  /** Opens a file location of the output, `src/a.ts:14:3`, in the person's editor. */
  openPlace: procedure
    .input(One.extend({ place: z.string().min(1).max(4096) }))
    .mutation(({ ctx, input }): Promise<OpenPlaceVerdict> => ctx.core.opening.place(input)),

  rerun: procedure
    .input(One.extend({ confirmed: z.boolean().default(false) }))
    .mutation(({ ctx, input }): Promise<RerunVerdict> => rerunBlock(ctx.core.terminal(input.terminalId), input)),
});
