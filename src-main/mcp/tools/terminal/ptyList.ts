import { z } from 'zod';
import type { McpCaller } from '../../../contract/mcp/mcp.ts';
import type { TerminalView } from '../../../contract/terminal.ts';
import { cutMarked } from '../../../redaction/cutText.ts';
import { isRecord } from '../../protocol/answers.ts';
import { refOf } from '../../protocol/inputs.ts';
import { defineTool, READS, type ToolCall } from '../../protocol/Tool.ts';
import { tabFact } from '../agents/tabFact.ts';

/** Limit of closed terminals in the list. */
const MAX_CLOSED = 20;
/** Limit of a running command; blocks_get has all of it. */
const MAX_CMD_CHARS = 200;

export const ptyList = defineTool({
  name: 'pty_list',
  aliases: ['pty.list'],
  title: 'List terminals',
  description:
    "The person's terminals, also those of hosts connected by SSH (`host`; their ids work in every tool): tab, title, folder, shell, what runs, which coding agent is in each and whether it waits for the person. `is_caller_pty`: the one you run in; `you`: your name and scopes. `hosts_silent`: did not answer. With include_closed also those of which only the record is left.",
  hints: READS,
  profile: 'observe',
  scope: 'observe',
  input: z.strictObject({ include_closed: z.boolean().default(false) }),
  about: ({ include_closed }) => ({
    terminalId: null,
    what: include_closed ? 'open and closed terminals' : 'open terminals',
  }),
  everywhere: { list: () => 'ptys', timeoutMs: 5_000, about: scopesThere },
  async run({ include_closed }, { desk, caller, authority }) {
    const open = desk.record.open().flatMap(({ live }) => (live ? [live] : []));
    const closed = include_closed ? await desk.record.closed(MAX_CLOSED) : [];
    const runs = await Promise.all(open.map(({ view }) => runsIn(view, desk)));
    const metas = await Promise.all(closed.map((one) => desk.record.meta(one)));
    return {
      facts: {
        you: {
          client: caller.name,
          scopes: authority.scopes(caller),
          ...(caller.terminalId !== null && { pty_id: caller.terminalId }),
        },
        ptys: [
          ...open.map(({ view, pid }) => ({
            ...factsOf(view, caller),
            ...tabFact(view.id, desk),
            pid,
            last_output_ts: desk.lastOutputMs(view.id),
          })),
          ...closed.map(({ id }) => ({ pty_id: id, pid: null, state: 'closed', is_caller_pty: false })),
        ],
      },
      told: {
        ptys: [
          ...open.map(({ view }, at) => ({ ...toldOf(view), ...runs[at] })),
          ...metas.map((meta) => ({ title: meta?.name ?? meta?.title ?? '', cwd: meta?.cwd ?? null })),
        ],
      },
    };
  },
});

/** The client's scopes on another machine. */
function scopesThere({ you }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return isRecord(you) && Array.isArray(you.scopes) ? { scopes: you.scopes } : {};
}

function factsOf(view: TerminalView, caller: McpCaller): Record<string, unknown> {
  return {
    pty_id: view.id,
    shell: view.shell,
    cols: view.cols,
    rows: view.rows,
    state: stateOf(view),
    visibility: 'visible',
    ...(view.agent && { agent: { type: view.agent.name, state: view.agent.state } }),
    ...(view.runningBlockId !== null && { active_block_id: refOf(view.id, view.runningBlockId) }),
    ...(view.openedBy !== undefined && { opened_by: view.openedBy }),
    is_caller_pty: view.id === caller.terminalId,
  };
}

function toldOf(view: TerminalView): Record<string, unknown> {
  const asks = view.agent?.asks ?? null;
  return {
    ...(view.name !== null && { name: view.name }),
    title: view.name ?? view.title,
    cwd: view.cwd,
    ...(asks !== null && { agent: { asks } }),
  };
}

/** The command that runs, without one that is kept out of history. */
async function runsIn({ id, runningBlockId }: TerminalView, { record }: ToolCall['desk']): Promise<{ runs?: string }> {
  const block = runningBlockId === null ? null : await record.block(id, runningBlockId).catch(() => null);
  return block?.cmd ? { runs: cutMarked(block.cmd, MAX_CMD_CHARS) } : {};
}

/** `tui`: a full-screen program has the terminal; `unknown`: the shell does not report where commands begin and end. */
export function stateOf(view: TerminalView): 'idle' | 'busy' | 'tui' | 'exited' | 'unknown' {
  if (view.state === 'exited') return 'exited';
  if (view.altScreen) return 'tui';
  if (view.runningBlockId !== null) return 'busy';
  return view.atPrompt ? 'idle' : 'unknown';
}
