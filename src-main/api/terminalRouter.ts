import { z } from 'zod';
import type { CloseVerdict, PasteVerdict, SubmitVerdict, TerminalChange } from '../contract/api.ts';
import { TerminalId } from '../contract/ids.ts';
import { type StreamItem, TerminalSize, type TerminalView } from '../contract/terminal.ts';
import { procedure, router } from './trpc.ts';

const One = z.object({ id: TerminalId });
/** Larger input goes through `paste`, which asks; keystrokes never come in such lengths. */
const MAX_WRITE_CHARS = 256 * 1024;
const MAX_PASTE_CHARS = 16 * 1024 * 1024;

export const terminalRouter = router({
  onChange: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<TerminalChange> {
    yield* ctx.core.followTerminals(signal);
  }),

  open: procedure
    .input(TerminalSize.extend({ shell: z.string().max(4096).optional(), cwd: z.string().max(4096).optional() }))
    .mutation(({ ctx, input }): Promise<TerminalView> => ctx.core.open(input)),

  /** Without `force` it only closes when nothing runs, and says what does. */
  close: procedure
    .input(One.extend({ force: z.boolean().default(false) }))
    .mutation(({ ctx, input }): Promise<CloseVerdict> => ctx.core.close(input.id, input.force)),

  restart: procedure.input(One).mutation(({ ctx, input }): Promise<void> => ctx.core.terminal(input.id).restart()),

  rename: procedure
    .input(One.extend({ name: z.string().trim().max(200).nullable() }))
    .mutation(({ ctx, input }) => ctx.core.terminal(input.id).rename(input.name || null)),

  write: procedure
    .input(One.extend({ data: z.string().max(MAX_WRITE_CHARS) }))
    .mutation(({ ctx, input }) => ctx.core.terminal(input.id).type(input.data)),

  /** Bytes 0–255 as characters: mouse reports of programs that did not ask for UTF-8. */
  writeBinary: procedure
    .input(One.extend({ data: z.string().max(MAX_WRITE_CHARS) }))
    .mutation(({ ctx, input }) => ctx.core.terminal(input.id).type(Buffer.from(input.data, 'latin1'))),

  paste: procedure
    .input(One.extend({ text: z.string().max(MAX_PASTE_CHARS), confirmed: z.boolean().default(false) }))
    .mutation(
      ({ ctx, input }): Promise<PasteVerdict> => ctx.core.terminal(input.id).paste(input.text, input.confirmed),
    ),

  submit: procedure
    .input(One.extend({ text: z.string().max(MAX_PASTE_CHARS) }))
    .mutation(({ ctx, input }): Promise<SubmitVerdict> => ctx.core.terminal(input.id).submit(input.text)),

  resize: procedure
    .input(TerminalSize.extend({ id: TerminalId }))
    .mutation(({ ctx, input }) => ctx.core.terminal(input.id).resize({ cols: input.cols, rows: input.rows })),

  /** `viewerId` is the viewer's own choice; acknowledgements name it. */
  stream: procedure.input(One.extend({ viewerId: z.string().min(1).max(64) })).subscription(async function* ({
    ctx,
    input,
    signal,
  }): AsyncGenerator<StreamItem> {
    yield* ctx.core.terminal(input.id).stream(`${ctx.clientId}/${input.viewerId}`, signal);
  }),

  /** Everything up to `offset` has been parsed and drawn. */
  ack: procedure
    .input(One.extend({ viewerId: z.string().min(1).max(64), offset: z.number().int().nonnegative() }))
    .mutation(({ ctx, input }) => ctx.core.terminal(input.id).ack(`${ctx.clientId}/${input.viewerId}`, input.offset)),

  /** The person has looked at it: the bell is taken back. */
  seen: procedure.input(One).mutation(({ ctx, input }) => ctx.core.terminal(input.id).seen()),
});
