import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { AgentState } from '../../../../../src-main/contract/chat/chat.ts';
import type { ExtractedMessage } from '../../../../../src-main/contract/chat/extractor.ts';
import { claude } from '../../../../../src-main/conversations/extraction/extractors/agents/claude.ts';
import { ExtractorFactory } from '../../../../../src-main/conversations/extraction/extractors/ExtractorFactory.ts';
import { type Moment, playCast } from '../../../../support/snapshots.ts';

interface Truth {
  turns: { user?: string; model?: { text: string }[] }[];
}
const FIXTURES = new URL('../../../../fixtures/', import.meta.url);
const { turns } = JSON.parse(readFileSync(new URL('agents/claude/truth.json', FIXTURES), 'utf8')) as Truth;
const USERS = turns.flatMap(({ user }) => (user === undefined ? [] : [user]));
const MODELS = turns.flatMap(({ model = [] }) => model.flatMap(({ text }) => (text === '' ? [] : [words(text)])));

/** Text without Markdown marks and without spaces; a message counts as found when this text is equal. */
function words(markdown: string): string {
  return markdown
    .replace(/^```\w*$/gm, '')
    .replace(/^#+ /gm, '')
    .replace(/^\|[-| ]+\|$/gm, '')
    .replace(/[|*`]/g, ' ')
    .replace(/\s+/g, '')
    .trim();
}

interface Seen {
  users: Set<string>;
  models: Set<string>;
  /** Ends of cut messages and parts of streaming ones. */
  parts: Set<string>;
  states: Map<string, AgentState>;
}

function watch(path: URL): Seen {
  const seen: Seen = { users: new Set(), models: new Set(), parts: new Set(), states: new Map() };
  playCast(path, ({ snapshot, marker }: Moment) => {
    const { messages, state } = claude.extract(snapshot);
    if (marker !== '') seen.states.set(marker.replace(/^snap:/, ''), state);
    for (const message of messages) note(message, seen);
  });
  return seen;
}

function note({ kind, text, isHeadCut, isOpen }: ExtractedMessage, { users, models, parts }: Seen): void {
  if (kind === 'user') users.add(text);
  else if (kind === 'model') (isHeadCut || isOpen ? parts : models).add(words(text));
}

/** A resize in inline mode pushes redrawn rows into the scrollback, so rows occur twice there; merging removes them later. */
function eachRowOnce(text: string): string {
  const rows = text.split(/(?=Row\d\d:)/);
  return [...new Set(rows)].join('');
}

interface Case {
  cast: string;
  users: number;
  /** Number of the script's texts that a snapshot shows whole; the long list needs scrollback for that. */
  models: number;
  states: Record<string, AgentState>;
}
const ASKED = { '06-permission-shell': 'needs_approval', '08-permission-edit': 'needs_approval' } as const;
const PROMPT = { '01-welcome': 'idle', '02-typed': 'idle', '04-reply': 'idle', '09-after-edit': 'idle' } as const;
const ENDS = { '03-busy': 'working', '10a-mid-stream': 'working', '19-exit': 'exited' } as const;
const CASES: Case[] = [
  { cast: 'agents/claude-2.1.329-default-100x30.cast', users: 7, models: 8, states: { ...PROMPT, ...ENDS } },
  {
    cast: 'agents/claude/claude-2.1.329-classic-100x30.cast',
    users: 7,
    models: 9,
    states: { ...PROMPT, ...ENDS, ...ASKED },
  },
  {
    cast: 'agents/claude/claude-2.1.329-fullscreen-askperm-100x30.cast',
    users: 7,
    models: 8,
    states: { ...PROMPT, ...ENDS, ...ASKED },
  },
  {
    cast: 'agents/claude/claude-2.1.329-ax-screen-reader-100x30.cast',
    users: 2,
    models: 2,
    states: { '06-permission-shell': 'needs_approval' },
  },
  {
    cast: 'agents/claude/claude-2.1.329-hooks-100x30.cast',
    users: 3,
    models: 3,
    states: { '03-busy': 'working', '04-reply': 'idle', '06-permission-shell': 'needs_approval', '19-exit': 'exited' },
  },
  { cast: 'recordings/claude-2.1.329-fullscreen-tp-ghostty-100x30.cast', users: 3, models: 3, states: {} },
];

describe('Claude Code, against what was typed and scripted', () => {
  for (const { cast, users, models, states } of CASES) {
    const path = new URL(cast, FIXTURES);
    const seen = watch(path);
    const found = {
      users: USERS.filter((text) => seen.users.has(text)).length,
      models: MODELS.filter((text) => seen.models.has(text)).length,
    };
    const title = `${cast.replace(/^.*\//, '')}: ${found.users} of ${users} prompts, ${found.models} of ${models} replies`;

    test(`${title} that stood on the screen are found`, () => {
      expect(found).toEqual({ users, models });
    });

    test(`${cast}: nothing is invented`, () => {
      expect([...seen.users].filter((text) => !USERS.includes(text))).toEqual([]);
      // A snapshot can come before the last words of a turn, so the beginning of a text is allowed.
      const all = MODELS.join('\n');
      expect([...seen.models].filter((text) => !MODELS.some((model) => model.startsWith(eachRowOnce(text))))).toEqual(
        [],
      );
      expect([...seen.parts].filter((text) => !isPart(text, all))).toEqual([]);
    });

    test(`${cast}: states at the moments that are known`, () => {
      expect(Object.fromEntries(Object.keys(states).map((marker) => [marker, seen.states.get(marker)]))).toEqual(
        states,
      );
    });
  }

  /** Whether a part is in the script. The extractor reads a table that is cut in two as rows with their box lines. */
  function isPart(text: string, all: string): boolean {
    return all.includes(text.replace(/[┌┐└┘├┤┬┴┼─│]/g, ''));
  }
});

describe('which extractor', () => {
  test('a screen of Claude is recognised, an unknown one is not, and a hint decides where the screen does not', () => {
    const factory = new ExtractorFactory();
    const chosen = new Set<string>();
    playCast(new URL('agents/claude-2.1.329-default-100x30.cast', FIXTURES), ({ snapshot, marker }) => {
      if (/0[1-4]/.test(marker)) chosen.add(factory.choose(snapshot).name);
      if (marker === 'snap:19-exit')
        expect(factory.choose({ ...snapshot, rows: [], title: '' }, 'claude').name).toBe('claude');
      if (marker === 'snap:19-exit') expect(factory.choose({ ...snapshot, rows: [], title: '' }).name).toBe('generic');
    });
    expect([...chosen]).toEqual(['claude']);
  });
});
