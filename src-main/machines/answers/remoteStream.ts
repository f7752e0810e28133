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

/** An item of a terminal's stream on another machine. Its sizes are those of a terminal here: an emulator of any other size would exhaust memory. */
export const RemoteStreamItem = z.discriminatedUnion('type', [
  z.object({
    ...{ type: z.literal('state'), offset: Offset, ...Size, data: z.string().max(MAX_STATE_CHARS) },
    ...{ runningBlockId: Id.nullable(), beginLine: Line, promptLine: Line },
  }),
  z.object({ type: z.literal('replay'), offset: Offset, ...Size, data: z.base64().max(MAX_REPLAY_CHARS) }),
  z.object({ type: z.literal('bytes'), offset: Offset, data: z.base64().max(MAX_ITEM_CHARS) }),
  z.object({
    ...{ type: z.literal('mark'), offset: Offset, kind: z.enum(['begin', 'end', 'prompt']) },
    blockId: Id.nullable(),
  }),
  z.object({ type: z.literal('resize'), ...Size }),
  z.object({ type: z.literal('exit'), exitCode: ExitCode, signal: Short.nullable() }),
]) satisfies z.ZodType<StreamItem, unknown>;
