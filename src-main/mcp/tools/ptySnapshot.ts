import { z } from 'zod';
import { ToolFault } from '../../contract/mcp.ts';
import type { SeqMismatch } from '../../contract/screen.ts';
import { BlockRef, capped, MaxChars, PtyId, splitRef } from '../inputs.ts';
import { defineTool, READS, type ToolCall } from '../Tool.ts';
import { pictureOf, withPicture } from './screenPicture.ts';
import { readingAnswer } from './screenText.ts';

export const Include = z
  .array(z.enum(['highlights', 'links', 'colors', 'wrapped']))
  .max(4)
  .default([]);
export const Since = z
  .int()
  .nonnegative()
  .optional()
  .describe('a seq you were given: only what changed since comes back');
export const SinceEpoch = z.string().max(64).optional().describe('screen_epoch that came with that seq');

export const ptySnapshot = defineTool({
  name: 'pty_snapshot',
  aliases: ['pty_read_screen', 'pty.snapshot'],
  title: 'Read the screen',
  description:
    'What a terminal shows now, as text: whole, or with since only the rows that changed. State and text are of one frozen frame; seq grows only with what is visible. scrollback gives rows from above. at_seq, at_ts or at_block_end show an earlier moment from the record. include: highlights (selection bars), links, colors, wrapped (joins wrapped rows). image png adds a picture of the whole screen, which costs more than its text: for layouts, graphs and colours.',
  hints: READS,
  profile: 'observe',
  scope: 'observe',
  input: z.strictObject({
    pty_id: PtyId,
    since: Since,
    since_epoch: SinceEpoch,
    scrollback: capped(0, 1000, 0),
    region: z
      .strictObject({ top: z.int().min(0), left: z.int().min(0), bottom: z.int().min(0), right: z.int().min(0) })
      .optional(),
    include: Include,
    at_seq: z.int().nonnegative().optional(),
    at_ts: z.number().nonnegative().optional().describe('ms since 1970'),
    at_block_end: BlockRef.optional(),
    image: z.literal('png').optional(),
    max_chars: MaxChars,
  }),
  async run(input, call) {
    call.desk.record.terminal(input.pty_id);
    const moment = await momentOf(input, call);
    const reading = moment
      ? await call.desk.screens.at(input.pty_id, moment)
      : await call.desk.screens.read(input.pty_id, {
          scrollback: input.scrollback,
          // a picture is of a whole frame, and text and picture are of one
          ...(input.since !== undefined && input.image === undefined && { since: input.since }),
          ...(input.since_epoch !== undefined && { epoch: input.since_epoch }),
        });
    const whole = known(reading, input.pty_id);
    const answer = readingAnswer(whole, {
      include: input.include,
      maxChars: input.max_chars,
      region: input.region,
    });
    return input.image === undefined ? answer : withPicture(answer, await pictureOf(whole, call.desk));
  },
});

async function momentOf(
  input: { pty_id: string; at_seq?: number | undefined; at_ts?: number | undefined; at_block_end?: string | undefined },
  { desk }: ToolCall,
): Promise<{ atSeq: number } | { atMs: number } | null> {
  if (input.at_seq !== undefined) return { atSeq: input.at_seq };
  if (input.at_ts !== undefined) return { atMs: input.at_ts };
  if (input.at_block_end === undefined) return null;
  const { terminalId, blockId } = splitRef(input.at_block_end);
  const block = await desk.record.block(terminalId, blockId);
  if (terminalId !== input.pty_id)
    throw new ToolFault('BLOCK_NOT_FOUND', `${input.at_block_end} is of another terminal`, `read ${terminalId}`);
  return { atMs: block.endedMs ?? desk.nowMs() };
}

/** The reading, or why there is none: nothing is recorded, or a `since` that is yet to come. */
export function known<T extends object>(reading: T | SeqMismatch | null, terminalId: string): T {
  if (reading === null)
    throw new ToolFault('PTY_NOT_FOUND', `no screen of "${terminalId}" is recorded`, 'blocks_since has its commands');
  if (!('error' in reading)) return reading as Exclude<T, SeqMismatch>;
  const { seq } = reading as SeqMismatch;
  throw new ToolFault('SEQ_MISMATCH', `since is ahead of the screen, which is at ${seq}`, 'read it without since', {
    details: { seq },
  });
}
