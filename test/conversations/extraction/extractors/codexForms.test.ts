import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { codex } from '../../../../src-main/conversations/extraction/extractors/agents/codex.ts';
import { plainSnapshot } from '../../../support/snapshots.ts';

const told = (lines: readonly string[], cols = 80) => {
  const { messages, state, isCovered } = codex.extract(plainSnapshot(lines.join('\n'), cols));
  return {
    said: messages.map(({ kind, text, tool }) => [kind, text, ...(tool?.status ? [tool.status] : [])]),
    state,
    isCovered,
  };
};
const FOOT = ['', '', '› Ask Codex to do anything', '', '  gpt-5 default · /tmp/project'];

describe('forms of Codex in plain lines', () => {
  test('a box for a welcome, a rule for the end of a turn (before 0.120)', () => {
    const screen = [
      '╭────────────────────────────────╮',
      '│ >_ OpenAI Codex (v0.46.0)      │',
      '│ model:     gpt-5   /model      │',
      '╰────────────────────────────────╯',
      '',
      '› count',
      '',
      '• One.',
      '',
      '─ Worked for 2m 05s ────────────────────────────',
      ...FOOT,
    ];
    expect(told(screen)).toEqual({
      said: [
        ['welcome', '>_ OpenAI Codex (v0.46.0)\nmodel:     gpt-5   /model'],
        ['user', 'count'],
        ['model', 'One.'],
      ],
      state: 'idle',
      isCovered: false,
    });
  });

  test('a command over several rows is one input; searches, plans and tools of servers are calls', () => {
    const screen = [
      '• Ran set -o pipefail',
      '  │ cargo test -p codex-tui',
      '  │ --quiet',
      '  └ (no output)',
      '',
      '• Updated Plan',
      '  └ □ Define error taxonomy',
      '    □ Implement mapping',
      '',
      '• Called search.find_docs({"query":"ratatui styling","limit":3})',
      '  └ Found styling guidance in styles.md',
      '',
      '• Searched the web for terminal recorders',
      ...FOOT,
    ];
    expect(told(screen).said).toEqual([
      ['toolCall', 'Run set -o pipefail\ncargo test -p codex-tui\n--quiet'],
      ['toolResult', '(no output)'],
      ['toolCall', 'Plan □ Define error taxonomy\n□ Implement mapping', 'done'],
      ['toolCall', 'search.find_docs {"query":"ratatui styling","limit":3}'],
      ['toolResult', 'Found styling guidance in styles.md'],
      ['toolCall', 'Search the web terminal recorders', 'done'],
    ]);
  });

  test('a tool of a server has its own name, also when it failed, which no answer says', () => {
    const screen = [
      '• Called search.find_docs',
      '  └ Found styling guidance in styles.md',
      '    + Show details',
      '',
      '• Failed search.find_docs',
      '  └ BAD_INPUT: no such page',
      '    + Show details',
      '',
      '• Failed tests are not tools.',
      ...FOOT,
    ];
    expect(told(screen).said).toEqual([
      ['toolCall', 'search.find_docs'],
      ['toolResult', 'Found styling guidance in styles.md'],
      ['toolCall', 'search.find_docs', 'failed'],
      ['toolResult', 'BAD_INPUT: no such page'],
      ['model', 'Failed tests are not tools.'],
    ]);
  });

  test('the row that tells what it is at is no answer, whatever it says', () => {
    const screen = ['› go', '', '• I should say hello and (0s • esc to interrupt)', ...FOOT];
    expect(told(screen)).toEqual({ said: [['user', 'go']], state: 'working', isCovered: false });
  });

  test('an interruption ends the call above it', () => {
    const screen = [
      '• Running sleep 60',
      '',
      '■ Conversation interrupted - tell the model what to do differently.',
      ...FOOT,
    ];
    expect(told(screen).said).toEqual([
      ['toolCall', 'Run sleep 60', 'interrupted'],
      ['notice', 'Conversation interrupted - tell the model what to do differently.'],
    ]);
  });

  test('its menus cover and are nothing that was said', () => {
    const screen = [
      '• Done.',
      '',
      '› /clear    start a new chat',
      '  /compact  summarize',
      '',
      '› /c',
      '',
      '  gpt-5 default',
    ];
    expect(told(screen)).toEqual({ said: [['model', 'Done.']], state: 'idle', isCovered: true });
  });
});

describe('what does not come from the screen', () => {
  test('the title: only its spinner and its call for action tell something', () => {
    const told = (title: string) => codex.stateOfTitle?.(title)?.state;
    expect(
      ['⠋ project', '[ ! ] Action Required | project', '[ . ] Action Required | x', 'project', ''].map(told),
    ).toEqual(['working', 'needs_approval', 'needs_approval', undefined, undefined]);
  });

  test('notifications: its own channel, questions, and answers that have come', () => {
    const told = (text: string) => codex.stateOfNotification?.(text)?.state;
    const seen = readFileSync(
      new URL('../../../fixtures/agents/codex/codex-0.169.0-alt-100x30.cast', import.meta.url),
      'utf8',
    );
    const texts = [...seen.matchAll(/\\u001b\](?:9|7501);([^\\]*?)(?:\\u0007|\\u001b)/g)].map(([, text = '']) => text);
    const states = new Map(texts.map((text) => [text, told(text)]));
    expect(Object.fromEntries([...states].filter(([text]) => text.startsWith('state=')))).toEqual({
      'state=idle:app=codex': 'idle',
      'state=working:app=codex': 'working',
      'state=done:app=codex': 'idle',
      'state=blocked:app=codex:kind=permission': 'needs_approval',
      'state=clear': undefined,
    });
    expect(states.get('Codex wants to edit note.md')).toBe('needs_approval');
    expect(states.get('I wrote note.md.')).toBe('idle');
    expect(told('4;1;50')).toBeUndefined();
  });
});
