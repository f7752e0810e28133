import { describe, expect, test } from 'vitest';
import type { AgentState, AgentStatus } from '../../../src-main/contract/chat/chat.ts';
import { provenanceWords, toolWords, verifiedWords } from '../../../src-renderer/conversation/chatWords.ts';
import { rowLine } from '../../../src-renderer/sidebar/rowLine.ts';
import { TerminalState } from '../../../src-renderer/tabs/TerminalState.svelte.ts';
import { Terminals } from '../../../src-renderer/tabs/Terminals.svelte.ts';
import { statusWords, windowTitle } from '../../../src-renderer/tabs/tabLook.ts';
import { fakeRpc, terminalView } from '../support/fakeRpc.ts';
import { aConversation, aMessage } from './aMessage.ts';

const agent = (state: AgentState, asks: string | null = null): AgentStatus => ({
  name: 'stand-in',
  label: 'Stand-in',
  state,
  evidence: { by: 'screen', rule: 'dialog', line: 'Do you want to proceed?' },
  sinceMs: 0,
  conversationId: 'c',
  asks,
});
const tab = (id: string, state: AgentState | null, asks: string | null = null, change = {}) =>
  terminalView({ id, runningBlockId: 'b', agent: state && agent(state, asks), ...change });

describe('the tab of an agent', () => {
  test.each([
    ['working', 'running'],
    ['starting', 'running'],
    ['idle', 'ready'],
    ['needs_approval', 'waits'],
    ['needs_input', 'waits'],
    ['exited', 'running'],
  ] as const)('that is %s has the mark %s', (state, status) => {
    expect(new TerminalState(tab('a', state)).status).toBe(status);
  });

  test('that waits says so before a bell does, and a shell that has ended before all', () => {
    expect(new TerminalState(tab('a', 'needs_input', null, { bell: true })).status).toBe('waits');
    expect(new TerminalState(tab('a', 'idle', null, { bell: true })).status).toBe('rang');
    expect(new TerminalState(tab('a', 'needs_input', null, { state: 'exited', exitCode: 0 })).status).toBe('exited');
  });

  test('says what is waited for in the agent’s own words, and why it is believed', () => {
    const terminal = new TerminalState(tab('a', 'needs_approval', 'run “cargo test --all”?'));
    expect(rowLine(terminal, { home: '/home/ada', nowMs: 0, ports: [] }).text).toBe('asks: run “cargo test --all”?');
    expect(statusWords(terminal)).toBe(
      'Stand-in: needs approval, read from its screen (dialog): “Do you want to proceed?”',
    );
    expect(rowLine(new TerminalState(tab('a', 'working')), { home: '/home/ada', nowMs: 130_000, ports: [] }).text).toBe(
      'working 2 m',
    );
  });

  test('is counted in the window’s title while it waits', () => {
    const all = [new TerminalState(tab('a', 'needs_input')), new TerminalState(tab('b', 'working'))];
    expect(windowTitle(undefined, all, () => '')).toBe('(1) Hansard');
  });
});

describe('agents that wait', () => {
  const setUp = () => {
    const { rpc } = fakeRpc({ 'block.page': () => ({ blocks: [], more: false }) });
    const terminals = new Terminals(
      rpc,
      { order: ['a', 'b', 'c'], active: 'a', folded: {}, chats: {}, projects: {}, projectOrder: [], panes: [] },
      () => false,
    );
    const told: string[] = [];
    terminals.onAgentWaits = ({ id }) => told.push(id);
    return { terminals, told };
  };

  test('are told of once, when they come to wait, and not those that waited before', () => {
    const { terminals, told } = setUp();
    terminals.apply({ type: 'all', terminals: [tab('a', 'working'), tab('b', 'needs_input')] });
    expect(told).toEqual([]);
    for (const state of ['needs_approval', 'needs_approval', 'working', 'needs_input'] as const)
      terminals.apply({ type: 'changed', terminal: tab('a', state) });
    expect(told).toEqual(['a', 'a']);
  });

  test('are walked through one after the other, around the end', () => {
    const { terminals } = setUp();
    terminals.apply({
      type: 'all',
      terminals: [tab('a', 'needs_input'), tab('b', 'working'), tab('c', 'needs_approval')],
    });
    expect(terminals.nextWaiting()?.id).toBe('c');
    terminals.activeId = 'c';
    expect(terminals.nextWaiting()?.id).toBe('a');
    terminals.apply({ type: 'all', terminals: [tab('b', 'idle')] });
    expect(terminals.nextWaiting()).toBeUndefined();
  });
});

describe('the words of a conversation', () => {
  test('say how a message is known', () => {
    expect(provenanceWords(aMessage(1, 'model', 'x', { verified: true, origins: ['screen', 'log'] }))).toEqual([
      'Read from the screen and the agent’s log',
      'By extractor stand-in, version 2, with 90 % confidence',
      'Bytes 0–10 of the record, frame 1',
      'The agent’s own log has the same text',
    ]);
    expect(provenanceWords(aMessage(1, 'model', 'x', { log: { text: 'y' }, verified: false })).at(-1)).toBe(
      'The agent’s own log has different text',
    );
  });

  test('say of a tool what is not as it should be, and how much it answered', () => {
    expect(toolWords({ name: 'Read', status: 'done' }, 'a\nb')).toBe('2 lines');
    expect(toolWords({ name: 'Read', status: 'failed' }, 'a')).toBe('failed · 1 line');
    expect(toolWords(undefined, '')).toBe('');
  });

  test('never call verified what nothing could verify', () => {
    expect(verifiedWords(aConversation('c'))).toBe('');
    expect(verifiedWords(aConversation('c', { verifiable: 9 }))).toBe('');
    expect(verifiedWords(aConversation('c', { verified: 2, verifiable: 2 }))).toBe('verified');
    expect(verifiedWords(aConversation('c', { verified: 1, verifiable: 2 }))).toBe('1 of 2 verified');
  });
});
