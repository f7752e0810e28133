import { expect, test } from 'vitest';
import { takeMessage } from '../../../../src-main/conversations/extraction/extractors/agents/opencode/ownMessages.ts';
import type { LogMessage } from '../../../../src-main/conversations/extraction/reconcile/LogMessage.ts';

function textsOf(message: object, parts: readonly object[]): string[] {
  const all: LogMessage[] = [];
  const fold = { put: (one: LogMessage) => void all.push(one) };
  const own = parts.map((part, at) => ({ id: `prt_${at}`, ...part }));
  takeMessage({ fold, usage: () => undefined }, { id: 'msg_1', time: { created: 1 }, ...message }, own);
  return all.map(({ kind, text }) => `${kind}: ${text}`);
}

test('the summary of a compacted session in OpenCode’s database is no answer', () => {
  const parts = [{ type: 'text', text: 'What was said.' }];
  expect(textsOf({ role: 'assistant' }, parts)).toEqual(['model: What was said.']);
  expect(textsOf({ role: 'assistant', summary: true }, parts)).toEqual([]);
});

test('a prompt in OpenCode’s database is what was typed, without what the program adds', () => {
  const parts = [
    { type: 'text', text: 'look' },
    { type: 'text', text: 'Called the Read tool', synthetic: true },
  ];
  expect(textsOf({ role: 'user', summary: { title: 'Look', diffs: [] } }, parts)).toEqual(['user: look']);
});
