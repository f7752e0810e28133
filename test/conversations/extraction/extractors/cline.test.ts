import { describe, expect, test } from 'vitest';
import { GAP_LINE } from '../../../../src-main/contract/chat/chat.ts';
import type { ChatSnapshot, Extraction, ScreenStep } from '../../../../src-main/contract/chat/extractor.ts';
import type { FrameRow } from '../../../../src-main/contract/screen/frame.ts';
import { cline } from '../../../../src-main/conversations/extraction/extractors/agents/cline.ts';
import { RowTimeline } from '../../../../src-main/conversations/extraction/merge/RowTimeline.ts';

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
  expect(answer?.doubt).toBeUndefined();
  expect(call?.tool).toMatchObject({ name: 'run_commands', input: 'rm made.txt', status: 'denied' });
});

test('a command of Cline that exited with a code has failed, although its sign is that of one that succeeded', () => {
  const statusOf = (output: string) => {
    const call = [' * run_commands(exit 3)', `   ⎿ ${output}`, '      ... 3 more lines', '', ...box('')];
    return cline.extract(snapshot(call)).messages[0]?.tool?.status;
  };
  expect(statusOf('[Command exited with code 3]')).toBe('failed');
  expect(statusOf('copper')).toBe('done');
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

test('a screen that was drawn for another size is not read, and the one before the first prompt is a greeting', () => {
  const covered = { messages: [], state: 'idle', draft: undefined, isCovered: true };
  const input = box('Ask anything...');
  expect(read(...TALK, ...input, '')).toEqual(covered); // lower now
  expect(read(...TALK, ...input.map((row) => row.replace(RULE, RULE.slice(3))))).toEqual(covered); // wider now
  expect(read(...TALK, ...input.map((row) => row.replace(' Act (Tab)', '')))).toEqual(covered); // narrower now
  const home = ['        @@@@@@', '', '                   What can I do for you?', '', ...box('/cle'), ''];
  const greeting = [['welcome', 'Cline']];
  expect(read(...home)).toEqual({ messages: greeting, state: 'idle', draft: '/cle', isCovered: false });
  expect(cline.extract(snapshot(home)).messages[0]?.text).toBe('Cline\nproject');
});

test('a prompt that Cline wraps is one line', () => {
  const long = ` ❯ ${'walnut '.repeat(7)}lantern`;
  const { messages } = cline.extract(snapshot([long, '   and the end', '', ...box('')]));
  expect(messages[0]?.text).toBe(`${long.slice(3)} and the end`);
});

describe('an answer of Cline that grows while it scrolls', () => {
  /** The rows of a screen of 14, of which the foot takes six. */
  const screenOf = (...rows: string[]) => [
    ...rows,
    ...Array<string>(8 - rows.length).fill(''),
    ...box('Ask anything...'),
  ];
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => `   line ${from + at} of walnut lantern`);
  const step = (rows: readonly string[], at: number) =>
    ({ ...snapshot(rows), at, atMs: at, seq: at, left: [], isErased: false }) as unknown as ScreenStep;

  test('stays one message: the turning sign before its first visible row begins no other', () => {
    const timeline = new RowTimeline(cline);
    const screens = [
      screenOf(' ❯ walk on', '', ' ⠋ Line one', ...lines(1, 4), ''),
      screenOf(' ⠙ Line one', ...lines(1, 6), ''),
      screenOf(` ⠹${lines(2, 2)[0]?.slice(2)}`, ...lines(3, 8), ''),
      screenOf(...lines(3, 9), '   the end'),
    ];
    const extractions = screens.map((screen, at) => {
      const read = cline.extract(timeline.take(step(screen, at)));
      timeline.settle(read.isCovered);
      return read;
    });
    expect(extractions.map(({ state }) => state)).toEqual(['working', 'working', 'working', 'idle']);
    const { messages } = extractions[3] as Extraction;
    expect(messages.map(({ kind, isHeadCut, isOpen }) => [kind, isHeadCut, isOpen])).toEqual([
      ['user', false, false],
      ['model', false, false],
    ]);
    const all = ['Line one', ...lines(1, 9), 'the end'].map((line) => line.trim());
    expect(messages[1]?.text.split(/\s*\n\s*/)).toEqual(all);
  });

  test('is known as an end if its first rows were never seen, and a call’s output is no answer', () => {
    const ends = cline.extract(snapshot(screenOf('   the last words', '', ' ❯ next')));
    expect(ends.messages).toMatchObject([
      { kind: 'model', text: 'the last words', isHeadCut: true },
      { kind: 'user', isHeadCut: false },
    ]);
    const output = cline.extract(snapshot(screenOf('   ⎿ 3 lines', '     one', '', ' ❯ next')));
    expect(output.messages).toMatchObject([{ kind: 'user' }]);
  });

  test('has a gap for a quote of which only the bar is drawn, and not its thoughts or its rules', () => {
    const early = cline.extract(snapshot(screenOf(' ❯ go', '', ' * │', '', '   The rest.')));
    expect(early.messages[1]).toMatchObject({ text: `${GAP_LINE}\n\nThe rest.`, hasGap: true });
    const list = cline.extract(snapshot(screenOf(' ❯ go', '', ' ⠋  1. one', '   10. ten')));
    expect(list.messages[1]?.text).toBe('1. one\n10. ten');
    const code = cline.extract(snapshot(screenOf(' ❯ go', '', ' ⠋', '', '', '', '', '   The rest.')));
    expect(code.messages.map(({ kind, isHeadCut }) => [kind, isHeadCut])).toEqual([
      ['user', false],
      ['model', false],
    ]);
    expect(code.messages[1]).toMatchObject({ text: `${GAP_LINE}\n\nThe rest.`, hasGap: true });
    const wide = `   ${'─'.repeat(56)}`;
    const own = cline.extract(snapshot(screenOf(' ❯ go', ' ▶ Thinking: what now', ' * One.', '', wide, '', '   Two.')));
    expect(own.messages.map(({ kind, text }) => [kind, text])).toEqual([
      ['user', 'go'],
      ['model', 'One.\n\n---\n\nTwo.'],
    ]);
  });
});
