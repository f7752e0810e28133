import { expect, test } from 'vitest';
import type { ChatSnapshot } from '../../../../src-main/contract/chat/extractor.ts';
import type { FrameRow } from '../../../../src-main/contract/screen/frame.ts';
import { kimi } from '../../../../src-main/conversations/extraction/extractors/agents/kimi.ts';

/** A screen of version 2.1.0 in the rig. */
const SCREEN = [
  ' │  ▐█▛█▛█▌  Welcome to Kimi Code!                  │',
  ' ╰──────────────────────────────────────────────────╯',
  '',
  ' ✨ run it',
  ' ● Running it now.',
  ' ● Ran a command · $ printf one > made.txt',
  '   Command executed successfully.',
  '',
  ' ● All done. It printed one. More words',
  '   to see.',
  '',
  ' ╭──────────────────────────────────────────────────╮',
  ' │ >                                                │',
  ' ╰──────────────────────────────────────────────────╯',
];

function rowOf(text: string): FrameRow {
  const name = /^ ● (Ran a command)/.exec(text)?.[1];
  if (!name) return { text, spans: [{ text, ...(text.startsWith(' ✨') && { bold: true }) }] } as unknown as FrameRow;
  const spans = [{ text: ' ● ' }, { text: name, fg: '#4fa8ff', bold: true }, { text: text.slice(3 + name.length) }];
  return { text, spans } as unknown as FrameRow;
}

function snapshot(texts: readonly string[]): ChatSnapshot {
  return { rows: texts.map(rowOf), screenTop: 0, cols: 52, altScreen: false, title: '', cursorRow: null };
}

test('Kimi Code’s screen is read as its prompt, its words and what it ran', () => {
  expect(kimi.recognise(snapshot(SCREEN))).toBe(1);
  const { messages, state, draft } = kimi.extract(snapshot(SCREEN));
  expect(messages.map(({ kind, text }) => [kind, text.split('\n')[0]])).toEqual([
    ['user', 'run it'],
    ['model', 'Running it now.'],
    ['toolCall', 'Ran a command · $ printf one > made.txt'],
    ['model', 'All done. It printed one. More words'],
  ]);
  expect(messages[2]?.tool).toEqual({
    name: 'Ran a command',
    input: 'printf one > made.txt',
    status: 'done',
    output: 'Command executed successfully.',
  });
  expect({ state, draft }).toEqual({ state: 'idle', draft: '' });
});

test('Kimi Code works while its spinner turns, and its input line is read', () => {
  const busy = SCREEN.with(10, '  ⠼ Working… · Tip: ! to run a shell command').with(12, ' │ > and then          │');
  expect(kimi.extract(snapshot(busy))).toMatchObject({ state: 'working', draft: 'and then' });
});
