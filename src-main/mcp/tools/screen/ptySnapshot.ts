import { z } from 'zod';
import { ToolFault } from '../../../contract/mcp/mcp.ts';
import type { ScreenQuery, ScreenReading, SeqMismatch } from '../../../contract/screen/screen.ts';
import { rowsNeededAbove } from '../../../redaction/secretSpansInRows.ts';
import { BlockRef, capped, MaxChars, PtyId, splitRef } from '../../protocol/inputs.ts';
import { readingAnswer } from '../../protocol/screenText.ts';
import { defineTool, READS, type ToolCall } from '../../protocol/Tool.ts';
import { stateOf } from '../terminal/ptyList.ts';
import { pictureOf, withPicture } from './screenPicture.ts';

export const Include = z
  .array(z.enum(['highlights', 'links', 'colors', 'wrapped']))
  .max(4)
  .default([]);
export const SinceSeq = z
  .int()
  .nonnegative()
  .optional()
  .describe('a seq from an earlier answer: only changes since then are returned');
export const SinceEpoch = z.string().max(64).optional().describe('the screen_epoch of that seq');

/** A row or a column: the maximum size of a terminal. */
const Cell = capped(0, 999);

export const ptySnapshot = defineTool({
  name: 'pty_snapshot',
  aliases: ['pty_read_screen', 'pty.snapshot'],
  title: 'Read the screen',
  description:
    'What a terminal shows now, as text: whole, or with since_seq only the rows that changed. State and text are of one frozen frame; seq grows only with what is visible. scrollback gives rows from above. at_seq, at_ts or at_block_end show an earlier moment from the record. include: highlights (selection bars), links, colors, wrapped (joins wrapped rows). image png adds a picture of the whole screen, which costs more than its text: for layouts, graphs and colours.',
  hints: READS,
  profile: 'observe',
  scope: 'observe',
  input: z.strictObject({
    pty_id: PtyId,
    since_seq: SinceSeq,
    since_epoch: SinceEpoch,
    scrollback: capped(0, 1000, 0),
    region: z.strictObject({ top: Cell, left: Cell, bottom: Cell, right: Cell }).optional(),
    include: Include,
    at_seq: z.int().nonnegative().optional(),
    at_ts: z.number().nonnegative().optional().describe('ms since 1970'),
    at_block_end: BlockRef.optional(),
    image: z.literal('png').optional(),
    max_chars: MaxChars,
  }),
  inputAliases: { since: 'since_seq' },
  about: ({ pty_id, image }) => ({ terminalId: pty_id, what: image ? 'picture of the screen' : 'the screen' }),
  async run(input, call) {
    const { scrollback, region } = input;
    const state = stateFacts(input.pty_id, call);
    const moment = await momentOf(input, call);
    const reading = moment
      ? known(await call.desk.screens.at(input.pty_id, moment), input.pty_id)
      : await readWithAbove(input.pty_id, call, {
          scrollback,
          // an image needs a whole frame, and text and image come from the same one
          ...(input.since_seq !== undefined && input.image === undefined && { since: input.since_seq }),
          ...(input.since_epoch !== undefined && { epoch: input.since_epoch }),
        });
    const shown = readingAnswer(reading, { include: input.include, maxChars: input.max_chars, region, scrollback });
    // a past screen has no state, because the state is not recorded with it
    const answer = moment ? shown : { ...shown, facts: { ...shown.facts, ...state } };
    return input.image === undefined ? answer : withPicture(answer, await pictureOf(reading, call.desk));
  },
});

/** The terminal's activity, in the words of pty_list. Throws PTY_NOT_FOUND. */
export function stateFacts(terminalId: string, { desk }: ToolCall): { state: string } {
  const { live } = desk.record.terminal(terminalId);
  return { state: live ? stateOf(live.view) : 'closed' };
}

/**
 * Reads the screen; for a difference, also the frame that it leads to. May return more scrollback rows than requested: they show whether the text at
 * the top of the screen belongs to a secret.
 */
export async function readWithAbove(
  terminalId: string,
  { desk }: ToolCall,
  query: ScreenQuery,
): Promise<ScreenReading> {
  const read = async (more: number) => {
    const scrollback = query.scrollback + more;
    return known(await desk.screens.read(terminalId, { ...query, scrollback, withFrame: true }), terminalId);
  };
  const reading = await read(0);
  const more = rowsNeededAbove([...reading.scrollback, ...(reading.frame?.rows ?? [])]);
  return more === 0 ? reading : read(more);
}

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

/** The reading; throws if nothing is recorded or `since` is in the future. */
export function known<T extends object>(reading: T | SeqMismatch | null, terminalId: string): T {
  if (reading === null)
    throw new ToolFault('PTY_NOT_FOUND', `no screen of "${terminalId}" is recorded`, 'blocks_since has its commands');
  if (!('error' in reading)) return reading as Exclude<T, SeqMismatch>;
  const { seq } = reading as SeqMismatch;
  throw new ToolFault('SEQ_MISMATCH', `since is ahead of the screen, which is at ${seq}`, 'read it without since', {
    details: { seq },
  });
}
