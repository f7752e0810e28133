import { z } from 'zod';
import type { CloseVerdict, PasteVerdict, SubmitVerdict, TerminalChange } from '../contract/api.ts';
import { TerminalId } from '../contract/ids.ts';
import { type SizedBy, type StreamItem, TerminalSize, type TerminalView } from '../contract/terminal.ts';
import { OpenInput, typeInOrder, used } from './terminalInput.ts';
import { procedure, router } from './trpc.ts';
import { TextEnd, wholeText } from './uploadRouter.ts';

const One = z.object({ id: TerminalId });
const Viewer = One.extend({ viewerId: z.string().min(1).max(64) });
const Asked = z.object({ running: z.string().max(64).nullable(), confirmed: z.boolean().optional() });
/** Larger input has to use `paste`, which asks; keystrokes are never this long. */
const MAX_WRITE_CHARS = 256 * 1024;
/** A writer that numbers its pieces from 0 may resend one after a lost connection: it is typed once and in order. */
const Numbered = {
  writer: z.string().min(1).max(64).optional(),
  number: z.number().int().nonnegative().optional(),
  again: z.boolean().optional(),
  since: z.object({ number: z.number().int().nonnegative(), core: z.string().max(64) }).optional(),
};

export const terminalRouter = router({
  onChange: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<TerminalChange> {
    yield* ctx.core.followTerminals(signal);
  }),

  open: procedure
    .input(OpenInput.extend({ shell: z.string().max(4096).optional() }))
    .mutation(({ ctx, input }): Promise<TerminalView> => ctx.core.open(input)),

  /** Without `force` it closes only if nothing runs; otherwise the answer lists the running programs. */
  close: procedure
    .input(One.extend({ force: z.boolean().default(false) }))
    .mutation(({ ctx, input }): Promise<CloseVerdict> => ctx.core.close(input.id, input.force)),

  restart: procedure.input(One).mutation(({ ctx, input }): Promise<void> => ctx.core.terminal(input.id).restart()),

  rename: procedure
    .input(One.extend({ name: z.string().trim().max(200).nullable() }))
    .mutation(({ ctx, input }) => ctx.core.terminal(input.id).describe({ name: input.name || null })),

  /** Hides the terminal from outside clients, or shows it again. */
  hide: procedure
    .input(One.extend({ isHidden: z.boolean() }))
    .mutation(({ ctx, input }) => ctx.core.terminal(input.id).describe({ isHidden: input.isHidden })),

  write: procedure
    .input(One.extend({ data: z.string().max(MAX_WRITE_CHARS), ...Numbered }))
    .mutation(({ ctx, input }) => typeInOrder(ctx, input, input.data)),

  /** Bytes 0–255 as characters: mouse reports of programs that did not ask for UTF-8. */
  writeBinary: procedure
    .input(One.extend({ data: z.string().max(MAX_WRITE_CHARS), ...Numbered }))
    .mutation(({ ctx, input }) => typeInOrder(ctx, input, Buffer.from(input.data, 'latin1'))),

  paste: procedure
    .input(One.extend(TextEnd.shape).extend({ confirmed: z.boolean().default(false) }))
    .mutation(
      ({ ctx, input }): Promise<PasteVerdict> => used(ctx, input.id).paste(wholeText(ctx, input), input.confirmed),
    ),

  submit: procedure
    .input(One.extend(TextEnd.shape).extend({ asked: Asked.optional() }))
    .mutation(
      ({ ctx, input }): Promise<SubmitVerdict> => used(ctx, input.id).submit(wholeText(ctx, input), input.asked),
    ),

  /** A composer of this client contains unsent text while the subscription lasts. */
  draft: procedure.input(One).subscription(async function* ({ ctx, input, signal }): AsyncGenerator<void> {
    yield* ctx.core.terminal(input.id).input.drafting(signal);
  }),

  /** Lets a nested shell report its own commands. */
  joinNested: procedure.input(One).mutation(({ ctx, input }) => ctx.core.terminal(input.id).input.joinNested()),

  /**
   * The size of the terminal in this viewer. It applies if the viewer used the terminal last, or with `take`, which marks it as used now. A client
   * without a viewer here simply sets the size. Returns who determines the size.
   */
  resize: procedure
    .input(z.object({ ...TerminalSize.shape, id: TerminalId, take: z.boolean().default(false) }))
    .mutation(
      ({ ctx, input: { id, cols, rows, take } }): SizedBy =>
        ctx.core.terminal(id).viewers.want(ctx.clientId, { cols, rows }, take),
    ),

  /**
   * The viewer chooses `viewerId`, which its acknowledgements name. With `size` the viewer sets the size before its first item. With `from`, a viewer
   * that has shown everything before it gets no state, if the missing bytes are still buffered.
   */
  stream: procedure
    .input(
      Viewer.extend({
        replay: z.enum(['state', 'raw', 'none']).default('state'),
        size: z.optional(TerminalSize),
        from: z.number().int().nonnegative().optional(),
      }),
    )
    .subscription(async function* ({ ctx, input, signal }): AsyncGenerator<StreamItem> {
      const viewer = { clientId: ctx.clientId, viewerId: input.viewerId };
      yield* ctx.core.terminal(input.id).viewers.view(viewer, input, signal);
    }),

  /** Everything up to `offset` has been parsed and drawn. */
  ack: procedure
    .input(Viewer.extend({ offset: z.number().int().nonnegative() }))
    .mutation(({ ctx, input: { id, viewerId, offset } }) =>
      ctx.core.terminal(id).viewers.ack({ clientId: ctx.clientId, viewerId }, offset),
    ),

  /** The person has looked at it: clears the marks of its bell and of a failed command. */
  seen: procedure.input(One).mutation(({ ctx, input }) => ctx.core.terminal(input.id).seen()),
});
