import { describe, expect, test } from 'vitest';
import { versionWords } from '../../../src-main/contract/chat/versionWords.ts';
import { ConversationList } from '../../../src-main/conversations/extraction/conversations.ts';
import { html } from '../../../src-main/conversations/extraction/exporters/html.ts';
import { markdown } from '../../../src-main/conversations/extraction/exporters/markdown.ts';
import { EXTRACTORS } from '../../../src-main/conversations/extraction/extractors/agents/all.ts';
import { frameDoubt } from '../../../src-main/conversations/extraction/selfCheck.ts';
import { findRecordings } from '../../agents/compare/findRecordings.ts';
import { chatOfCast } from '../../support/chatOfCast.ts';
import { documentOf, message } from './exporters/conversation.ts';

const FOUND = new URL('../../fixtures/agents/found/', import.meta.url);
const checked = (agent: string, version: string) =>
  EXTRACTORS.find(({ name }) => name === agent)?.checked?.includes(version) === true;

test('lists as checked exactly the versions whose recordings are compared with the truth', () => {
  const recorded = new Set(findRecordings().map(({ expected }) => `${expected.agent} ${expected.version}`));
  const listed = EXTRACTORS.flatMap(({ name, checked: versions = [] }) =>
    versions.map((version) => `${name} ${version}`),
  );
  const advice = '`checked` of an extractor lists exactly the versions with a folder in test/fixtures/agents';
  expect(listed.sort(), advice).toEqual([...recorded].sort());
});

test.each([
  ['basic-claude-2.1.54-100.cast', 'claude', 'Claude Code 2.1.54: not checked'],
  ['dialogs-claude-2.1.329-36.cast', 'claude', 'Claude Code 2.1.329'],
  ['basic-gemini-0.34.0-100.cast', 'gemini', 'Gemini CLI 0.34.0: not checked'],
  ['basic-copilot-1.0.73-100.cast', 'copilot', 'Copilot CLI 1.0.73: not checked'],
])('reads the version of %s from its welcome', (cast, agent, words) => {
  const list = new ConversationList((name) => EXTRACTORS.find((own) => own.name === name)?.label ?? name, checked);
  for (const line of chatOfCast(new URL(cast, FOUND), agent).lines) list.apply(line);
  const [conversation] = list.all;
  expect(conversation && versionWords(conversation)).toBe(words);
  const document = documentOf([], {
    label: conversation?.label ?? '',
    version: conversation?.version ?? null,
    isVersionChecked: conversation?.isVersionChecked === true,
  });
  expect(markdown.write(document)).toContain(words);
  expect(html.write(document)).toContain(words);
});

describe('a text raises its own doubt', () => {
  test.each([
    ['an edge of a box', 'Done.\n╭──────────╮\nmore', 'frame'],
    ['a bar of an input box', '▀▀▀▀▀▀▀▀▀▀▀▀▀', 'frame'],
    ['a scroll bar', 'some words here          █', 'frame'],
    ['a row of tabs', '[Current]  Sessions  Gists', 'frame'],
    ['a box in code', '```\n╭──────────╮\n```', undefined],
    ['a table', '| a | b |\n|---|---|\n| 1 | 2 |', undefined],
    ['plain words', 'All is well.', undefined],
  ])('%s', (_, text, reason) => {
    expect(frameDoubt(message('model', text))?.reason).toBe(reason);
  });
});
