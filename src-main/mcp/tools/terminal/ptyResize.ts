import { z } from 'zod';
import { capped, PtyId } from '../../protocol/inputs.ts';
import { defineTool, type ToolCall } from '../../protocol/Tool.ts';

/** Columns and rows that a client may request. */
export const Cols = capped(2, 1000);
export const Rows = capped(2, 1000);

export const ptyResize = defineTool({
  name: 'pty_resize',
  aliases: ['pty.resize'],
  title: 'Resize a terminal',
  description:
    "Sets the columns and rows of a terminal, with a lease from pty_control. The size lasts as long as the lease; a window of the person's that is used takes its own size back at once.",
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  profile: null, // pty_control lists it as an action, because a model can choose from about twenty tools at most
  scope: 'input',
  input: z.strictObject({
    pty_id: PtyId,
    lease_id: z.string().max(64),
    cols: Cols,
    rows: Rows,
  }),
  about: ({ pty_id, cols, rows }) => ({ terminalId: pty_id, what: `${cols}×${rows}` }),
  admit: ({ pty_id }, { record }) => void record.liveTerminal(pty_id),
  run: async (input, call) => ({ facts: resize(input, call) }),
});

export function resize(
  { pty_id, lease_id, cols, rows }: { pty_id: string; lease_id: string; cols: number; rows: number },
  { clients, caller }: Pick<ToolCall, 'clients' | 'caller'>,
): Record<string, unknown> {
  const before = clients.size.resize({ terminalId: pty_id, leaseId: lease_id, cols, rows }, caller);
  return { pty_id, cols, rows, cols_before: before.cols, rows_before: before.rows };
}
