import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { MAX_PASTE_CHARS } from '../core/uploads/Uploads.ts';
import { writeSentFile } from '../core/uploads/writeSentFile.ts';
import { type ApiContext, procedure, router } from './trpc.ts';

/** Keeps a message far below the limit of a connection, however JSON escapes its characters. */
const MAX_PIECE_CHARS = 256 * 1024;
const Name = z.string().min(1).max(64);

/** The end of a text, or all of it; `upload` names the pieces sent before. */
export const TextEnd = z.object({ text: z.string().max(MAX_PASTE_CHARS), upload: Name.optional() });

type Caller = Pick<ApiContext, 'core' | 'clientId'>;

export const uploadRouter = router({
  /** Adds the next piece of a text whose end is sent with a later call for that terminal. */
  add: procedure
    .input(z.object({ id: z.string().max(64), upload: Name, piece: z.string().max(MAX_PIECE_CHARS) }))
    .mutation(({ ctx, input }) => {
      if (ctx.core.uploads.add(`${ctx.clientId}/${input.upload}`, input.piece)) return;
      throw new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: 'Over 16 MB at once: put it in a file and read that' });
    }),

  /** Stores a file for the terminal `id`, given as base64, at most 12 MB. Returns its path on that terminal's machine. */
  file: procedure
    .input(TextEnd.extend({ id: z.string().max(64), name: z.string().max(1000) }))
    .mutation(async ({ ctx, input }): Promise<{ path: string }> => {
      ctx.core.terminal(input.id); // a window that lost the terminal must not leave files behind
      const bytes = Buffer.from(wholeText(ctx, input), 'base64');
      return { path: await writeSentFile(input.name, bytes) };
    }),
});

export function wholeText({ core, clientId }: Caller, { text, upload }: z.infer<typeof TextEnd>): string {
  const all = core.uploads.take(upload && `${clientId}/${upload}`, text);
  if (all !== undefined) return all;
  throw new TRPCError({ code: 'BAD_REQUEST', message: 'The beginning of this text is lost: send it again' });
}
