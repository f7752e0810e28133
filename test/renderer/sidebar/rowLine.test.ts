import { expect, test } from 'vitest';
import type { Block } from '../../../src-main/contract/block.ts';
import type { AgentStatus } from '../../../src-main/contract/chat/chat.ts';
import type { Approval } from '../../../src-main/contract/mcp/approval.ts';
import type { Failure, TerminalView } from '../../../src-main/contract/terminal.ts';
import { rowLine } from '../../../src-renderer/sidebar/rowLine.ts';
import { TerminalState } from '../../../src-renderer/tabs/TerminalState.svelte.ts';
import { terminalView } from '../support/fakeRpc.ts';

const NOON_MS = new Date(2026, 0, 1, 12, 4).getTime();
const agent = (state: AgentStatus['state'], asks: string | null = null) =>
  ({
    name: 'x',
    label: 'X',
    state,
    asks,
    evidence: null,
    sinceMs: NOON_MS - 180_000,
    conversationId: 'c',
  }) as AgentStatus;
const approval = (change: Partial<Approval>) =>
  ({ kind: 'command', client: { title: 'Quay' }, shown: [{ text: 'make', hidden: false }], ...change }) as Approval;

interface Case {
  view?: Partial<TerminalView>;
  asked?: Approval;
  failed?: Partial<Failure>;
  news?: string;
  runsMs?: number;
  ports?: number[];
}

function lineOf({ view, asked, failed, news = '', runsMs, ports = [] }: Case) {
  const running = runsMs === undefined ? {} : { runningBlockId: 'b' };
  const failure = failed ? { atMs: NOON_MS, exitCode: 1, signal: null, ...failed } : null;
  const terminal = new TerminalState(terminalView({ id: 'a', failure, ...running, ...view }), () => asked);
  if (runsMs !== undefined) terminal.lastBlock = { id: 'b', cmd: 'x', startedMs: NOON_MS - runsMs } as Block;
  terminal.news = news || null;
  return rowLine(terminal, { home: '/home/ada', nowMs: NOON_MS, ports });
}

const everything: Case = { failed: { exitCode: 1 }, news: 'make', runsMs: 60_000, ports: [5173] };

test.each<[string, Case, string, string]>([
  ['an end comes before all else', { ...everything, view: { state: 'exited', exitCode: 3 } }, 'plain', 'exited 3'],
  ['a signal that ended the shell', { view: { state: 'exited', signal: 'SIGHUP' } }, 'plain', 'ended by SIGHUP'],
  ['a recording', { view: { state: 'exited', origin: 'import' } }, 'plain', 'recording'],
  [
    'a recording with an exit',
    { view: { state: 'exited', origin: 'record', exitCode: 3 } },
    'plain',
    'recording, exit 3',
  ],
  ['a client that asks to run', { ...everything, asked: approval({}) }, 'asks', 'approve: make'],
  ['a client that asks to type', { asked: approval({ kind: 'keys' }) }, 'asks', 'approve: make'],
  ['a client that asks for control', { asked: approval({ kind: 'control' }) }, 'asks', 'asks for control'],
  [
    'a question of an agent',
    { ...everything, view: { agent: agent('needs_input', 'Which?') } },
    'asks',
    'asks: Which?',
  ],
  ['an unseen failure', { ...everything }, 'failed', 'failed 12:04 · exit 1'],
  [
    'an unseen failure by a signal',
    { failed: { exitCode: 139, signal: 'SIGSEGV' } },
    'failed',
    'failed 12:04 · SIGSEGV',
  ],
  ['an unseen end of a long command', { news: 'make', runsMs: 60_000, ports: [5173] }, 'asks', 'done: make'],
  ['work with ports', { runsMs: 18 * 60_000, ports: [5173] }, 'plain', 'working 18 m'],
  ['progress', { view: { progress: { state: 'normal', percent: 41.6 } } }, 'plain', '42 % · ~/src'],
  ['an agent at work', { view: { agent: agent('working') } }, 'plain', 'working 3 m'],
  ['a command that has just begun', { runsMs: 1_000 }, 'plain', 'working'],
  ['nothing', {}, 'plain', '~/src'],
])('%s', (_, given, tone, text) => {
  expect(lineOf(given)).toMatchObject({ tone, text });
});

test('at most two ports are shown, and only where nothing is more urgent', () => {
  expect(lineOf({ ports: [1, 2, 3] }).ports).toEqual([1, 2]);
  expect(lineOf(everything).ports).toEqual([]);
});

test('hidden characters of an approval are shown by their names', () => {
  const shown = ['rm ', 'U+202E', 'x'].map((text) => ({ text, hidden: text.startsWith('U') }));
  expect(lineOf({ asked: approval({ shown }) }).text).toBe('approve: rm U+202Ex');
});
