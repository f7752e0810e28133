import { expect, test } from 'vitest';
import type { ChatSnapshot } from '../../../../src-main/contract/chat/extractor.ts';
import type { FrameRow } from '../../../../src-main/contract/screen/frame.ts';
import { cline } from '../../../../src-main/conversations/extraction/extractors/agents/cline.ts';

const RULE = '─'.repeat(60);
const FOOT = [
  ' mock-model (100) $0.00                 ○ Plan ● Act (Tab)',
  ' project',
  ' Auto-approve all disabled (Shift+Tab)',
];
const TALK = [
  ' ❯ remove it',
  '',
  ' * I will remove the file.',
  '',
  ' x run_commands(rm made.txt)',
  '   Error: This tool call was denied',
  '',
];
const box = (typed: string) => [RULE, `❯ ${typed}`, RULE, ...FOOT];

function snapshot(texts: readonly string[]): ChatSnapshot {
  const rows = texts.map((text) => ({ text, spans: [{ text }] }) as unknown as FrameRow);
  return { rows, screenTop: 0, cols: 60, altScreen: true, title: '', cursorRow: null };
}

const read = (...texts: string[]) => {
  const { messages, state, draft, isCovered } = cline.extract(snapshot(texts));
  return { messages: messages.map(({ kind, text }) => [kind, text.split('\n')[0]]), state, draft, isCovered };
};

const SAID = [
  ['user', 'remove it'],
  ['model', 'I will remove the file.'],
  ['toolCall', 'run_commands(rm made.txt)'],
];

test('Cline’s screen is read as its prompt, its words and a refused call', () => {
  const screen = [...TALK, ...box('Ask anything...')];
  expect(cline.recognise(snapshot(screen))).toBe(0.9);
  expect(read(...screen)).toEqual({ messages: SAID, state: 'idle', draft: '', isCovered: false });
  const [, answer, call] = cline.extract(snapshot(screen)).messages;
  expect(answer?.doubt).toEqual({ reason: 'joined', from: 0, to: answer?.text.length });
  expect(call?.tool).toMatchObject({ name: 'run_commands', input: 'rm made.txt', status: 'failed' });
});

test('what Cline shows while it thinks is no message, and the menu of commands is no part of the last one', () => {
  const thinks = [...TALK, ' ⠋ Thinking... (esc to cancel)', '', ...box('and')];
  expect(read(...thinks)).toEqual({ messages: SAID, state: 'working', draft: 'and', isCovered: false });
  const menu = [...TALK, `╭${RULE}╮`, '│ ❯ /quit   Exit │', `╰${RULE}╯`, ...box('/quit')];
  expect(read(...menu)).toEqual({ messages: SAID, state: 'idle', draft: '/quit', isCovered: false });
});

test('a permission prompt in the place of Cline’s input box waits for the person', () => {
  const asks = [...TALK, ' Cline needs permission', '', ' Approve tool call?', '', '  [y] Approve   [n] Deny', ...FOOT];
  expect(read(...asks)).toEqual({ messages: SAID, state: 'needs_approval', draft: undefined, isCovered: true });
});
