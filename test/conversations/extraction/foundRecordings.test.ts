import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compare } from '../../agents/compare/compare.ts';
import type { Expected, ExpectedMessage } from '../../agents/compare/expected.ts';
import { plainOf } from '../../agents/compare/texts.ts';
import { chatOfCast } from '../../support/chatOfCast.ts';

const FOUND = new URL('../../fixtures/agents/found/', import.meta.url);
const truth = JSON.parse(readFileSync(new URL('truth.json', FOUND), 'utf8')) as Record<
  string,
  { kind: 'user' | 'model' | 'tool'; text: string }[]
>;
/** The scripted model's answer to prompts outside its script; truth.json does not contain it. */
const UNSCRIPTED = 'Unscripted summary or answer.';
/**
 * The text as the agent draws it. Claude Code writes a link's address after the link, and reads a pipe in code as text, although it ends a
 * table's cell in GitHub's Markdown.
 */
const asDrawn = (agent: string, text: string) =>
  agent === 'claude' ? text.replaceAll('`A|B`', '`A\\|B`').replace(/\[(.*?)\]\((http.*?)\)/g, '$1 ($2)') : text;
/**
 * Numbers of messages: said, found, with equal text, invented, repeated; after the semicolon, wrong ones without a mark. The comment after
 * each has the first five figures of November 2026. When a figure improves, update it here; when it gets worse, that is a defect.
 */
const FIGURES: Readonly<Record<string, string>> = {
  'dialogs-claude-2.1.329-36.cast': '15 15 15 0 0; 0', // 15 15 15 4 0
  'rich1-claude-2.1.329-104.cast': '21 21 19 0 1; 0', // 21 21 17 0 1
  'rich1-opencode-1.18.33-104.cast': '21 21 18 0 1; 0', // 21 21 16 0 1
  'rich4-codex-0.169.0-100.cast': '35 34 33 1 0; 0', // 35 34 32 6 0
  'basic-gemini-0.34.0-100.cast': '8 7 7 0 0; 0', // 8 3 3 1 0
  'basic-copilot-1.0.73-100.cast': '9 9 9 0 0; 0', // 9 9 8 2 0
  'basic-claude-2.1.54-100.cast': '9 9 9 0 0; 0', // 9 9 8 0 0
  'rich1-gemini-0.61.0-104-alt.cast': '10 8 7 2 1; 0', // 10 8 3 9 1
  'basic-qwen-0.24.4-100.cast': '9 8 7 0 0; 0', // 9 3 1 6 0
};

test.each(Object.keys(truth))('%s', (name) => {
  const agent = /-(claude|codex|gemini|copilot|opencode|qwen)-/.exec(name)?.[1] ?? '';
  const { session } = chatOfCast(new URL(name, FOUND), agent);
  const messages = session.messages.filter(
    ({ kind, text }) => (kind === 'user' || kind === 'model') && text !== UNSCRIPTED,
  );
  const said = (truth[name] ?? [])
    .filter(({ kind }) => kind !== 'tool')
    .map((own) => ({ ...own, text: asDrawn(agent, own.text) }));
  const expected = { agent, conversations: [{ agent, isAfterClear: false, messages: said as ExpectedMessage[] }] };
  const { found, textEqual, invented, duplicated } = compare({ ...expected, states: [] } as unknown as Expected, {
    conversations: [{ id: '', agent, isAfterClear: false, messages }],
    states: [],
  });
  const left = said.map(({ kind, text }) => `${kind} ${plainOf(text)}`);
  const unmarked = messages.filter(({ kind, text, doubtful, hasGap }) => {
    const at = left.indexOf(`${kind} ${plainOf(text)}`);
    if (at >= 0) left.splice(at, 1);
    return at < 0 && !doubtful && !hasGap;
  });
  expect(`${said.length} ${found} ${textEqual} ${invented} ${duplicated}; ${unmarked.length}`).toBe(FIGURES[name]);
});
