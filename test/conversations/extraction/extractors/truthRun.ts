import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { AgentState } from '../../../../src-main/contract/chat/chat.ts';
import type { ExtractedMessage, IExtractor } from '../../../../src-main/contract/chat/extractor.ts';
import { playCast } from '../../../support/snapshots.ts';

interface Truth {
  turns: { user?: string; model?: { text: string }[] }[];
}
export const FIXTURES = new URL('../../../fixtures/agents/', import.meta.url);
const { turns } = JSON.parse(readFileSync(new URL('claude/truth.json', FIXTURES), 'utf8')) as Truth;
export const USERS = turns.flatMap(({ user }) => (user === undefined ? [] : [user]));
export const MODELS = turns.flatMap(({ model = [] }) => model.flatMap(({ text }) => (text === '' ? [] : [text])));

/** Text without Markdown marks and without spaces; a message counts as found when this text is equal. */
export function words(markdown: string): string {
  return markdown
    .replace(/^```\w*$/gm, '')
    .replace(/^#+ /gm, '')
    .replace(/^\|[-| ]+\|$/gm, '')
    .replace(/[|*`]/g, '')
    .replace(/\s+/g, '');
}

/** Markdown without the language of a fence, which no screen shows, and with one form of the rule under a table's head. */
export function asShown(markdown: string): string {
  return markdown.replace(/^```\w+$/gm, '```').replace(/^\|[-| ]+\|$/gm, (rule) => rule.replace(/[- ]+/g, ' --- '));
}

export interface Run {
  readonly users: Map<string, number>;
  readonly models: Set<string>;
  /** Ends of cut messages and parts of streaming ones. */
  readonly parts: Set<string>;
  readonly states: Map<string, AgentState>;
  readonly drafts: Map<string, string | undefined>;
  readonly last: Map<string, readonly ExtractedMessage[]>;
  resumeId: string | undefined;
}

/** Reads every moment of a recording. `users` has the highest number of times that one snapshot shows a prompt. */
export function runOf(cast: URL, extractor: IExtractor): Run {
  const run: Run = {
    users: new Map(),
    models: new Set(),
    parts: new Set(),
    states: new Map(),
    drafts: new Map(),
    last: new Map(),
    resumeId: undefined,
  };
  playCast(cast, ({ snapshot, marker }) => {
    const { messages, state, draft, resumeId } = extractor.extract(snapshot);
    const name = marker.replace(/^snap:/, '');
    if (name !== '') run.states.set(name, state);
    if (name !== '') run.drafts.set(name, draft);
    if (name !== '') run.last.set(name, messages);
    run.resumeId = resumeId ?? run.resumeId;
    noteUsers(messages, run.users);
    for (const { kind, text, isHeadCut, isOpen } of messages)
      if (kind === 'model') (isHeadCut || isOpen ? run.parts : run.models).add(text);
  });
  return run;
}

function noteUsers(messages: readonly ExtractedMessage[], counts: Map<string, number>): void {
  const own = new Map<string, number>();
  for (const { kind, text } of messages) if (kind === 'user') own.set(text, (own.get(text) ?? 0) + 1);
  for (const [text, count] of own) counts.set(text, Math.max(count, counts.get(text) ?? 0));
}

export interface Case {
  readonly cast: string;
  readonly users: number;
  /** Number of the script's texts that a snapshot shows whole. */
  readonly models: number;
  readonly states: Record<string, AgentState>;
  /** Prompts outside the script, typed by mistake during the recording. */
  readonly slips?: readonly string[];
  /** In this mode the scrollback contains redrawn rows twice; merging removes them later. */
  readonly hasRowsTwice?: boolean;
}

/** Tests an extractor against a recording whose true conversation is known. */
export function promise(
  { cast, users, models, states, slips = [], hasRowsTwice = false }: Case,
  extractor: IExtractor,
): void {
  const run = runOf(new URL(cast, FIXTURES), extractor);
  const shown = new Set([...run.models].map(asShown));
  const found = {
    users: USERS.filter((text) => run.users.has(text)).length,
    models: MODELS.filter((text) => shown.has(asShown(text))).length,
  };
  const title = `${found.users} of ${users} prompts, ${found.models} of ${models} replies`;

  test(`${cast}: ${title} that stood on the screen are found, replies as Markdown`, () => {
    expect(found).toEqual({ users, models });
  });

  test(`${cast}: nothing is invented${hasRowsTwice ? '' : ', no prompt is seen twice'}`, () => {
    expect([...run.users].filter(([text]) => ![...USERS, ...slips].includes(text))).toEqual([]);
    if (!hasRowsTwice) expect([...run.users].filter(([, count]) => count > 1)).toEqual([]);
    const plain = (text: string) => (hasRowsTwice ? words(eachRowOnce(text)) : words(text));
    // A snapshot can come before the last words of a turn, so the beginning of a text is allowed.
    const all = MODELS.map(words);
    expect([...run.models].filter((text) => !all.some((model) => model.startsWith(plain(text))))).toEqual([]);
    expect([...run.parts].filter((text) => !all.some((model) => model.includes(plain(text))))).toEqual([]);
  });

  test(`${cast}: states at the moments that are known`, () => {
    expect(Object.fromEntries(Object.keys(states).map((marker) => [marker, run.states.get(marker)]))).toEqual(states);
  });
}

/** The rows of the script's long list, each once. */
function eachRowOnce(text: string): string {
  return [...new Set(text.split(/(?=\bRow \d\d:)/).map((row) => row.trim()))].join(' ');
}
