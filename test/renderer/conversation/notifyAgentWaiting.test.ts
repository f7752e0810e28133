import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AgentRow } from '../../../src-main/contract/agents.ts';
import { Agents } from '../../../src-renderer/agents/Agents.svelte.ts';
import type { AppState } from '../../../src-renderer/app/AppState.svelte.ts';
import { notifyAgentWaiting } from '../../../src-renderer/conversation/notifyAgentWaiting.ts';
import type { TerminalState } from '../../../src-renderer/tabs/TerminalState.svelte.ts';

const said: string[] = [];
const terminal = {
  id: 't2',
  label: 'codex',
  agent: { label: 'Codex', state: 'needs_approval', asks: 'Run it?' },
} as unknown as TerminalState;
let agents: Agents;
let app: AppState;

beforeEach(() => {
  said.length = 0;
  agents = new Agents({ past: {} } as never);
  app = {
    agents,
    settings: { current: { 'notify.agentWaits': true } },
    terminals: { activeId: 't1' },
    machines: { titled: (title: string) => title },
    notices: { say: (text: string) => said.push(text) },
  } as unknown as AppState;
  vi.stubGlobal('document', { hasFocus: () => true });
});
afterEach(() => void vi.unstubAllGlobals());

const list = (terminalId: string) =>
  agents.apply({ type: 'all', rows: [{ terminalId, conversationId: 'c', state: 'working' } as AgentRow] });

test('an agent of another tab is said to wait', () => {
  list('t3'); // the page shows another machine's agents
  notifyAgentWaiting(app, terminal);
  expect(said).toEqual([expect.stringContaining('Run it?')]);
});

test('nothing is said over the Agents page, whose row shows the question', () => {
  list('t2');
  notifyAgentWaiting(app, terminal);
  expect(said).toEqual([]);
});

test('a person who looks at another window is still notified', () => {
  vi.stubGlobal('document', { hasFocus: () => false });
  list('t2');
  notifyAgentWaiting(app, terminal);
  expect(said).toHaveLength(1);
});
