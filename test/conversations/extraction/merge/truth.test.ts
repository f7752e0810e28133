import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { plainWords } from '../../../../src-main/conversations/extraction/merge/plainWords.ts';
import { chatOfCast } from '../../../support/chatOfCast.ts';

interface Turn {
  user?: string;
  model?: { text: string }[];
}
const FIXTURES = new URL('../../../fixtures/', import.meta.url);
const { turns } = JSON.parse(readFileSync(new URL('agents/claude/truth.json', FIXTURES), 'utf8')) as { turns: Turn[] };
const LIST = 'print a long list';
const ALL = turns.flatMap(({ user }) => user ?? []);

/** Messages of the turns with these prompts, in order, without Markdown marks. With `isListTwice`, the long list is repeated. */
function script(users: readonly string[], isListTwice: boolean): string[] {
  return turns.flatMap(({ user, model = [] }) => {
    if (user === undefined || !users.includes(user)) return [];
    const said = model.flatMap(({ text }) => (text === '' ? [] : [`model ${words(text)}`]));
    return [`user ${words(user)}`, ...said, ...(isListTwice && user === LIST ? said : [])];
  });
}

function words(text: string): string {
  return plainWords(text.replace(/^```\w+$/gm, '').replace(/^\|[-| ]+\|$/gm, ''));
}

const SHORT = ['hello there', 'run the printf command'];
const CASES = [
  { cast: 'agents/claude-2.1.329-default-100x30.cast', users: ALL, isListTwice: true },
  { cast: 'agents/claude/claude-2.1.329-classic-100x30.cast', users: ALL, isListTwice: true },
  { cast: 'agents/claude/claude-2.1.329-fullscreen-askperm-100x30.cast', users: ALL, isListTwice: true },
  { cast: 'agents/claude/claude-2.1.329-hooks-100x30.cast', users: [...SHORT, LIST], isListTwice: false },
  { cast: 'recordings/claude-2.1.329-fullscreen-tp-ghostty-100x30.cast', users: [...SHORT, LIST], isListTwice: false },
];

describe('what was said in a recorded session is recorded once, in order, whole, and nothing else', () => {
  for (const { cast, users, isListTwice } of CASES) {
    test(cast, () => {
      const { session } = chatOfCast(new URL(cast, FIXTURES), 'claude');
      const said = session.messages.filter(({ kind }) => kind === 'user' || kind === 'model');
      expect(said.map(({ kind, text }) => `${kind} ${words(text)}`)).toEqual(script(users, isListTwice));
      expect(session.messages.filter(({ final }) => !final)).toEqual([]);
    });
  }

  test('the screen reader mode says a part of an answer, and nothing twice when it is resized', () => {
    const { session } = chatOfCast(new URL('agents/claude/claude-2.1.329-ax-screen-reader-100x30.cast', FIXTURES));
    const said = session.messages.filter(({ kind }) => kind === 'user' || kind === 'model');
    const expected = script(SHORT, false).slice(0, 4);
    expect(said.map(({ kind, text }) => `${kind} ${words(text)}`)).toEqual(expected);
  });

  test('a new conversation follows a clearing command, and knows the one before', () => {
    const { session } = chatOfCast(new URL('agents/claude-2.1.329-default-100x30.cast', FIXTURES), 'claude');
    const begun = session.events.filter(({ type }) => type === 'cli:newSession');
    expect(begun.map(({ parentId }) => parentId)).toEqual([undefined, begun[0]?.conversationId]);
    const second = session.messages.filter(({ conversationId }) => conversationId === begun[1]?.conversationId);
    expect(second.map(({ kind }) => kind)).toEqual(['welcome', 'command', 'user', 'model', 'exit']);
    expect(session.events.filter(({ type }) => type === 'cli:compact')).toHaveLength(1);
  });
});
