import { z } from 'zod';
import type { TerminalMeta } from '../../../contract/terminal.ts';
import type { PtyInstance } from '../../../terminal/PtyInstance.ts';
import { PtyId, refOf } from '../../protocol/inputs.ts';
import { defineTool, READS, type ToolCall } from '../../protocol/Tool.ts';
import { readWaitsFor } from '../../read/waitsFor.ts';
import { known } from '../screen/ptySnapshot.ts';
import { stateOf } from './ptyList.ts';

export const ptyStatus = defineTool({
  name: 'pty_status',
  aliases: ['pty_screen_status', 'pty.status'],
  title: 'State of a terminal',
  description:
    'Size, cursor, title and modes of a terminal, how much of it is recorded, whether it is idle (and if not, why: a command, a program, somebody typing, an agent), what it waits for (waits_for: command, a line, keys, a secret, an answer to its agent; unknown where nothing says so), and what waits in its queue. Use it before pty_exec or to learn why a command is held.',
  hints: READS,
  profile: 'observe',
  scope: 'observe',
  input: z.strictObject({ pty_id: PtyId }),
  about: ({ pty_id }) => ({ terminalId: pty_id, what: 'its state' }),
  async run({ pty_id }, { desk, clients, caller }) {
    const terminal = desk.record.terminal(pty_id);
    const { view = null } = terminal.live ?? {};
    const reading = known(await desk.screens.read(pty_id, { scrollback: 0 }), pty_id);
    const { size } = await desk.record.raw(pty_id, 0, 0);
    const end = await desk.screens.deltas(pty_id, 'end', 1);
    const frame = reading.full ? reading.frame : null;
    const modes = modesOf(terminal.live ? await inputOf(terminal.live) : null);
    const exited = view?.state === 'live' ? null : await desk.record.meta(terminal);
    const queue = terminal.live ? clients.exec.waiting(pty_id) : [];
    return {
      facts: {
        pty_id,
        ...(frame && { cols: frame.cols, rows: frame.rowsCount, cursor: frame.cursor, alt_screen: frame.altScreen }),
        ...(frame && { scrollback_total: frame.scrollbackTotal }),
        ...modes,
        screen_epoch: reading.epoch,
        seq: reading.seq,
        raw_size: size,
        raw_first_offset: 0,
        deltas_size: end.fileBytes,
        source: reading.source,
        state: view ? stateOf(view) : 'closed',
        ...(exited && {
          exited: { ...exitOf(exited), ...(view && { exit_code: view.exitCode, signal: view.signal }) },
        }),
        shell_integration: view ? integration(view.quality.level) : 'none',
        waits_for: terminal.live ? await readWaitsFor(terminal.live, reading, quietMs(pty_id, desk)) : 'nothing',
        ...(view?.keyTaker && { reads_keys: true }),
        ...(view?.agent && { agent: { type: view.agent.name, state: view.agent.state } }),
        ...(view && view.runningBlockId !== null && { active_block_id: refOf(pty_id, view.runningBlockId) }),
        idle: terminal.live ? idleFacts(await clients.exec.idleOf(pty_id)) : { idle: false, reasons: ['closed'] },
        queue: {
          length: queue.length,
          own: queue.filter(({ client }) => client === caller.name).map(({ blockId }) => refOf(pty_id, blockId)),
        },
      },
      told: {
        title: frame?.title ?? '',
        ...(view && { cwd: view.cwd }),
        ...(view?.keyTaker && { program: view.keyTaker.name }),
      },
    };
  },
});

/** Time since the last output, known to a quarter of a second. */
function quietMs(terminalId: string, desk: ToolCall['desk']): number {
  const lastMs = desk.lastOutputMs(terminalId);
  return lastMs === null ? Number.POSITIVE_INFINITY : desk.nowMs() - lastMs;
}

type ScreenInput = Awaited<ReturnType<PtyInstance['screen']['input']>>;

/** Null if the screen was closed meanwhile, and its modes with it. */
function inputOf({ screen }: PtyInstance): Promise<ScreenInput | null> {
  return screen.input().catch(() => null);
}

/** The modes that the program has set; they are not recorded, so null for a closed terminal. */
function modesOf(input: ScreenInput | null): object {
  return {
    sync_output: input?.syncOutput ?? null,
    bracketed_paste: input?.bracketedPaste ?? null,
    app_cursor: input?.applicationCursor ?? null,
    mouse_mode: input ? (input.mouse?.protocol.toLowerCase() ?? 'none') : null,
  };
}

function exitOf({ exitCode, signal, closedMs }: TerminalMeta): object {
  return { exit_code: exitCode ?? null, signal: signal ?? null, ts: closedMs ?? null };
}

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
