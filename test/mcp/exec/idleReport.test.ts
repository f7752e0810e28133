import { expect, test } from 'vitest';
import { type IdleFacts, idleReport } from '../../../src-main/mcp/exec/idleReport.ts';

const IDLE: IdleFacts = {
  isRunning: false,
  isShellForeground: true,
  isAltScreen: false,
  isAtPrompt: true,
  isEditing: true,
  isLineEmpty: true,
  quietMs: null,
  hasAgent: false,
};

test('a terminal is idle only when all conditions hold', () => {
  expect(idleReport(IDLE, 15_000)).toEqual({ idle: true, reasons: [], quietMs: null });
});

test.each([
  ['a command runs', { isRunning: true }, ['block_running']],
  ['another program has the terminal', { isShellForeground: false }, ['foreground_process']],
  ['the kernel does not tell who has it', { isShellForeground: null }, ['foreground_process']],
  ['the alternate screen is shown', { isAltScreen: true }, ['alt_screen']],
  ['the last mark is no trusted prompt', { isAtPrompt: false }, ['no_prompt']],
  ['the line editor does not read yet, or a password is asked for', { isEditing: false }, ['no_prompt']],
  ['nobody can tell whether the line editor reads', { isEditing: null }, ['no_prompt']],
  ['something stands in the line', { isLineEmpty: false }, ['line_not_empty']],
  ['the person typed a moment ago', { quietMs: 14_999 }, ['user_typing']],
  ['an agent runs', { hasAgent: true }, ['agent_session']],
  [
    'several at once',
    { isAltScreen: true, hasAgent: true, isRunning: true },
    ['block_running', 'alt_screen', 'agent_session'],
  ],
] as const)('%s: it is not idle, and says why', (_, change, reasons) => {
  const report = idleReport({ ...IDLE, ...change }, 15_000);
  expect(report).toMatchObject({ idle: false, reasons });
});

test('the hold ends with its time', () => {
  expect(idleReport({ ...IDLE, quietMs: 15_000 }, 15_000).idle).toBe(true);
});
