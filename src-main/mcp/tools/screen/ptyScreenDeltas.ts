import { z } from 'zod';
import { namedDelta } from '../../../contract/screen/foldDelta.ts';
import { type RedactedDeltas, redactedDeltas } from '../../../redaction/redactedDeltas.ts';
import type { DeltaPage } from '../../../store/record/readScreenFile.ts';
import { capped, PtyId } from '../../protocol/inputs.ts';
import { defineTool, READS, type ToolAnswer } from '../../protocol/Tool.ts';

export const ptyScreenDeltas = defineTool({
  name: 'pty_screen_deltas',
  aliases: ['pty_read_screen_deltas', 'pty.screen.deltas'],
  title: 'Replay the screen',
  description:
    "How the screen came to be what it is: the recorded changes of rows, at most ten a second, each page from a cursor on. Begin at a delta with keyframe (all rows) and put the others' rows over it; scrolled_by moves all rows up first. Works for closed terminals too.",
  hints: READS,
  profile: null, // pty_snapshot with since_seq replaces it
  scope: 'observe',
  input: z.strictObject({
    pty_id: PtyId,
    cursor: z.int().nonnegative().default(0),
    limit: capped(1, 200, 50),
    from: z.enum(['start', 'end']).default('start').describe('end: only where the record ends now'),
  }),
  about: ({ pty_id }) => ({ terminalId: pty_id, what: 'changes of the screen' }),
  async run({ pty_id, cursor, limit, from }, { desk }) {
    desk.record.terminal(pty_id);
    const page = await desk.screens.deltas(pty_id, from === 'end' ? 'end' : cursor, limit);
    const { deltas } = page;
    const isCut = deltas[0] !== undefined && !deltas[0].keyframe;
    const before = isCut ? await desk.screens.before(pty_id, page.cursor) : null;
    return deltasAnswer(pty_id, page, redactedDeltas(deltas, before));
  },
});

/** A page of deltas, redacted, for the tool and the resource. */
export function deltasAnswer(pty_id: string, page: DeltaPage, shown: RedactedDeltas): ToolAnswer {
  const { deltas } = page;
  return {
    facts: {
      pty_id,
      cursor: page.cursor,
      resume_cursor: page.resumeCursor,
      first_cursor: page.firstCursor,
      truncated: page.truncated,
      file_size: page.fileBytes,
      deltas: deltas.map((delta) => {
        const { title: _, rows, ...facts } = namedDelta(pty_id, delta);
        return { ...facts, rows: rows.map(({ row }) => ({ row })) };
      }),
    },
    told: {
      deltas: deltas.map(({ title }, at) => ({
        ...(title !== undefined && { title }),
        rows: shown.rows[at]?.map((text) => ({ text })) ?? [],
      })),
    },
    ...(shown.redactions > 0 && { redactions: shown.redactions }),
  };
}
