import { z } from 'zod';
import { PtyId, refOf } from '../inputs.ts';
import { defineTool, READS } from '../Tool.ts';
import { stateOf } from './ptyList.ts';
import { known } from './ptySnapshot.ts';

export const ptyStatus = defineTool({
  name: 'pty_status',
  aliases: ['pty_screen_status', 'pty.status'],
  title: 'State of a terminal',
  description:
    'Size, cursor, title and modes of a terminal, how much of it is recorded, whether it is idle (and if not, why: a command, a program, somebody typing, an agent), and what waits in its queue. Costs little; use it before pty_exec or to learn why a command is held.',
  hints: READS,
  profile: 'observe',
  scope: 'observe',
  input: z.strictObject({ pty_id: PtyId }),
  async run({ pty_id }, { desk, clients, caller }) {
    const terminal = desk.record.terminal(pty_id);
    const { view = null } = terminal.live ?? {};
    const reading = known(await desk.screens.read(pty_id, { scrollback: 0 }), pty_id);
    const { size } = await desk.record.raw(pty_id, 0, 0);
    const end = await desk.screens.deltas(pty_id, 'end', 1);
    const frame = reading.full ? reading.frame : null;
    const queue = terminal.live ? clients.exec.waiting(pty_id) : [];
    return {
      facts: {
        pty_id,
        ...(frame && { cols: frame.cols, rows: frame.rowsCount, cursor: frame.cursor, alt_screen: frame.altScreen }),
        ...(frame && { scrollback_total: frame.scrollbackTotal }),
        screen_epoch: reading.epoch,
        seq: reading.seq,
        raw_size: size,
        raw_first_offset: 0,
        deltas_size: end.fileBytes,
        source: reading.source,
        state: view ? stateOf(view) : 'closed',
        ...(view?.state === 'exited' && { exited: { exit_code: view.exitCode, signal: view.signal } }),
        shell_integration: view ? integration(view.quality.level) : 'none',
        ...(view?.agent && { agent: { type: view.agent.name, state: view.agent.state } }),
        ...(view && view.runningBlockId !== null && { active_block_id: refOf(pty_id, view.runningBlockId) }),
        idle: terminal.live ? idleFacts(await clients.exec.idleOf(pty_id)) : { idle: false, reasons: ['closed'] },
        queue: {
          length: queue.length,
          own: queue.filter(({ client }) => client === caller.name).map(({ blockId }) => refOf(pty_id, blockId)),
        },
      },
      told: { title: frame?.title ?? '', ...(view && { cwd: view.cwd }) },
    };
  },
});

function idleFacts({
  idle,
  reasons,
  quietMs,
}: {
  idle: boolean;
  reasons: readonly string[];
  quietMs: number | null;
}): object {
  return { idle, reasons, quiet_ms: quietMs };
}

function integration(level: string): 'full' | 'partial' | 'none' {
  if (level === 'rich') return 'full';
  return level === 'none' || level === 'unknown' ? 'none' : 'partial';
}
