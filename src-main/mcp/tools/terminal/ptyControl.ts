import { z } from 'zod';
import type { Lease } from '../../../contract/mcp/approval.ts';
import { ToolFault } from '../../../contract/mcp/mcp.ts';
import { capped, PtyId } from '../../protocol/inputs.ts';
import { defineTool } from '../../protocol/Tool.ts';
import { Cols, Rows, resize } from './ptyResize.ts';

export const ptyControl = defineTool({
  name: 'pty_control',
  aliases: ['pty.control'],
  title: 'Take and give back control',
  description:
    'request: a lease on the keys of a terminal, shown to the person as a frame; any key of theirs ends it at once. release gives it back. handback_to_user lets the person do a step (a password, a choice) and waits, at most 55 s, until they hand it back (still_with_user: call again). resize sets cols and rows for as long as the lease; a window that the person uses takes its own size back. status tells who has it.',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  profile: 'full',
  scope: 'input',
  input: z.strictObject({
    action: z.enum(['request', 'release', 'handback_to_user', 'resize', 'status']),
    pty_id: PtyId,
    lease_id: z.string().max(64).optional(),
    reason: z.string().max(300).default(''),
    ttl_s: capped(1, 600, 120),
    cols: Cols.optional(),
    rows: Rows.optional(),
  }),
  isWait: ({ action }) => action === 'handback_to_user',
  isRead: ({ action }) => action === 'status',
  about: ({ pty_id, action, reason }) => ({ terminalId: pty_id, what: reason === '' ? action : reason }),
  admit({ action, pty_id, lease_id, cols, rows }, { record }) {
    record.liveTerminal(pty_id);
    if (lease_id === undefined && action !== 'request' && action !== 'status')
      throw new ToolFault('BAD_INPUT', `${action} needs lease_id`, 'it came with the answer to request');
    if (action === 'resize' && (cols === undefined || rows === undefined))
      throw new ToolFault('BAD_INPUT', 'resize needs cols and rows', 'give both, 2 to 1000');
  },
  async run(
    { action, pty_id, lease_id = '', reason, ttl_s, cols = 0, rows = 0 },
    { clients, caller, signal, authority },
  ) {
    if (action === 'resize') return { facts: resize({ pty_id, lease_id, cols, rows }, { clients, caller }) };
    if (action === 'request') {
      const asked = { terminalId: pty_id, reason, ttlS: ttl_s };
      const lease = await clients.leases.request(asked, caller, () => authority.beginWait(caller));
      return { facts: { ...leaseFacts(lease), outcome: 'granted' } };
    }
    if (action === 'status') return { facts: leaseFacts(clients.leases.status(pty_id)) };
    if (action === 'release') {
      clients.leases.release(lease_id, caller);
      return { facts: { outcome: 'released' } };
    }
    const { outcome, lease } = await clients.leases.handBack(lease_id, caller, signal);
    return { facts: { outcome, ...leaseFacts(lease) } };
  },
});

function leaseFacts(lease: Lease | null): Record<string, unknown> {
  if (!lease) return { lease: null };
  return {
    lease: { lease_id: lease.id, client: lease.client, until: lease.untilMs, state: lease.state.replace('-', '_') },
  };
}
