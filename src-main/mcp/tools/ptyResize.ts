import { z } from 'zod';
import { capped, PtyId } from '../inputs.ts';
import { defineTool } from '../Tool.ts';

export const ptyResize = defineTool({
  name: 'pty_resize',
  aliases: ['pty.resize'],
  title: 'Resize a terminal',
  description:
    "Sets the columns and rows of a terminal, with a lease from pty_control. The size lasts as long as the lease; a window of the person's that is used takes its own size back at once.",
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  profile: 'full',
  scope: 'input',
  input: z.strictObject({
    pty_id: PtyId,
    lease_id: z.string().max(64),
    cols: capped(2, 1000),
    rows: capped(2, 1000),
  }),
  about: ({ pty_id, cols, rows }) => ({ terminalId: pty_id, what: `${cols}×${rows}` }),
  admit: ({ pty_id }, { record }) => void record.liveTerminal(pty_id),
  async run({ pty_id, lease_id, cols, rows }, { clients, caller }) {
    const before = clients.size.resize({ terminalId: pty_id, leaseId: lease_id, cols, rows }, caller);
    return { facts: { pty_id, cols, rows, cols_before: before.cols, rows_before: before.rows } };
  },
});
