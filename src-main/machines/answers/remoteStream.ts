import { z } from 'zod';
import { type StreamItem, TerminalSize } from '../../contract/terminal.ts';
import { Id, MAX_STATE_CHARS, Offset, Short } from './remoteValues.ts';

/** A core sends 64 KiB at once. More would keep a window busy with one item. */
const MAX_ITEM_CHARS = 1_500_000;
/** Base64 of all bytes that a core keeps for its viewers, and more. */
const MAX_REPLAY_CHARS = 8 * 1024 * 1024;

/** Whole numbers, which may be negative after a signal. */
const ExitCode = z.int().nullable();
const Line = z.int().min(0).nullable();
const Size = TerminalSize.shape;
/** The length is checked first: the expression for base64 can exhaust the stack on a giant text. */
const base64 = (max: number) =>
  z
    .string()
    .max(max, { abort: true })
    .regex(/^[A-Za-z0-9+/]*={0,2}$/);

/** An item of a terminal's stream on another machine. Its sizes are those of a terminal here: an emulator of any other size would exhaust memory. */
export const RemoteStreamItem = z.discriminatedUnion('type', [
  z.object({
    ...{ type: z.literal('state'), offset: Offset, ...Size, data: z.string().max(MAX_STATE_CHARS) },
    ...{ runningBlockId: Id.nullable(), beginLine: Line, promptLine: Line },
  }),
  z.object({ type: z.literal('replay'), offset: Offset, ...Size, data: base64(MAX_REPLAY_CHARS) }),
  z.object({ type: z.literal('bytes'), offset: Offset, data: base64(MAX_ITEM_CHARS) }),
  z.object({
    ...{ type: z.literal('mark'), offset: Offset, kind: z.enum(['begin', 'end', 'prompt']) },
    blockId: Id.nullable(),
  }),
  z.object({ type: z.literal('resize'), ...Size }),
  z.object({ type: z.literal('exit'), exitCode: ExitCode, signal: Short.nullable() }),
]) satisfies z.ZodType<StreamItem, unknown>;
