import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { GAP_LINE } from '../../../../../src-main/contract/chat/chat.ts';
import type { ChatSnapshot } from '../../../../../src-main/contract/chat/extractor.ts';
import { opencode } from '../../../../../src-main/conversations/extraction/extractors/agents/opencode.ts';
import { plainSnapshot, playCast } from '../../../../support/snapshots.ts';
import { FIXTURES, promise, runOf } from '../truthRun.ts';

const CAST = 'opencode-1.18.33-110x34.cast';
const STATES = {
  '01-welcome': 'idle',
  '03-busy': 'working',
  '04-reply': 'idle',
  '05-tool-read': 'idle',
  '06-permission-shell': 'needs_approval',
  '07-after-shell': 'idle',
  '08-permission-edit': 'needs_approval',
  '10-long': 'idle',
  '11-resized': 'idle',
  '18-bye': 'idle',
  '20-exit': 'exited',
} as const;

describe('OpenCode, against what was typed and scripted', () => {
  // One of the nine texts was never requested, and no screen showed the whole list of 60 rows.
  promise({ cast: CAST, users: 6, models: 7, states: STATES }, opencode);
});

describe('OpenCode, beside what was said', () => {
  const run = runOf(new URL(CAST, FIXTURES), opencode);
  const told = (marker: string) =>
    (run.last.get(marker) ?? []).map(({ kind, text, tool }) => ({ kind, text, ...(tool ? { tool } : {}) }));

  test('its first screen is a welcome with version and folder', () => {
    expect(told('01-welcome')).toEqual([{ kind: 'welcome', text: 'OpenCode 1.18.33\n/home/u/repos/ws3:master' }]);
  });

  test('a call that waits, what is asked, and the options', () => {
    const command = 'printf "alpha\\nbeta\\n" && touch made-by-agent.txt';
    expect(told('06-permission-shell').slice(-2)).toEqual([
      { kind: 'toolCall', text: `$ ${command}`, tool: { name: 'Shell', input: command } },
      {
        kind: 'permission',
        text: `Permission required\n# Shell command\n$ ${command}\nAllow once\nAllow always\nReject`,
      },
    ]);
    expect(told('08-permission-edit').at(-1)?.text).toBe(
      'Permission required\n→ Edit note.md\n1 + # Note\n2 +\n3 + hello\nAllow once\nAllow always\nReject',
    );
  });

  test('a call with what it gave; the numbers of a file are no part of it', () => {
    expect(told('09-after-edit').slice(-4)).toEqual([
      { kind: 'user', text: 'write note.md' },
      { kind: 'toolCall', text: 'Write note.md', tool: { name: 'Write', input: 'note.md', status: 'done' } },
      { kind: 'toolResult', text: '# Note\n\nhello' },
      { kind: 'model', text: 'I wrote note.md.' },
    ]);
  });

  test('the menu of commands covers and is no part of what was said; the box tells what is typed', () => {
    expect(told('19-slash').slice(-2)).toEqual(told('18-bye').slice(-2));
    expect(run.drafts.get('19-slash')).toBe('/exit');
    expect(run.drafts.get('01-welcome')).toBe('');
    playCast(new URL(CAST, FIXTURES), ({ snapshot, marker }) => {
      const covered = ['snap:06-permission-shell', 'snap:08-permission-edit', 'snap:19-slash'].includes(marker);
      if (marker !== '') expect([marker, opencode.extract(snapshot).isCovered]).toEqual([marker, covered]);
    });
  });

  test('its last lines say with which id it goes on', () => {
    expect(run.resumeId).toBe('ses_e068726a0ffeBMknegtZtWtF1c');
    expect(told('20-exit').map(({ kind }) => kind)).toEqual(['exit']);
  });

  test('it is recognised from its first screen to its last line', () => {
    playCast(new URL(CAST, FIXTURES), ({ snapshot, marker }) => {
      if (marker !== '') expect([marker, opencode.recognise(snapshot)]).not.toEqual([marker, 0]);
    });
  });

  test('the conversation scrolls above the box, the dialog and the menu', () => {
    const ends = new Map<string, number | undefined>();
    playCast(new URL(CAST, FIXTURES), ({ snapshot, marker }) => ends.set(marker, opencode.body?.(snapshot).to));
    const at = ['snap:04-reply', 'snap:06-permission-shell', 'snap:19-slash'].map((marker) => ends.get(marker));
    expect(at).toEqual([27, 24, 25]);
  });
});

describe('OpenCode, forms', () => {
  test('1.0.98 in plain lines: who asked and when stands in the block, the end of a turn has no sign', () => {
    const text = readFileSync(new URL('others/agentapi/opencode-second_message.txt', FIXTURES), 'utf8');
    const { messages, state } = opencode.extract(plainSnapshot(text, 207));
    expect(messages.map(({ kind, text: said }) => [kind, said.split('\n')[0]])).toEqual([
      ['user', 'Which repo is this ?'],
      [
        'model',
        "This is the agentapi repository. Based on the codebase structure and documentation, it's a Go HTTP API server that controls various coding agents (like Claude Code, Aider, Goose, etc.) through terminal emulation.",
      ],
    ]);
    expect(messages[1]?.text).toMatch(/web-based chat interface\.$/);
    expect(state).toBe('idle');
  });

  test('a turn that was broken off tells so, and a view over the conversation hides it', () => {
    const box = ['  ┃', '  ┃', '  ┃  Build · Model', `  ╹${'▀'.repeat(60)}`];
    const turn = ['  ┃', '  ┃  go', '  ┃', '', '     Working on', '', '     ▣  Build · Model · interrupted', ''];
    const said = opencode.extract(plainSnapshot([...turn, ...box].join('\n'))).messages;
    expect(said.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'user: go',
      'model: Working on',
      'notice: interrupted',
    ]);
    const view = `${' '.repeat(20)}Commands${' '.repeat(40)}esc`;
    expect(opencode.extract(plainSnapshot([...turn, view, ...box].join('\n')))).toMatchObject({
      messages: [],
      isCovered: true,
    });
  });

  test('a column beside the conversation is no part of it', () => {
    const beside = (left: string, right: string) => left.padEnd(88) + right;
    const rows = [
      beside('  ┃', '  A title'),
      beside('  ┃  go', ''),
      beside('  ┃', '  Context'),
      beside('', '  1,234 tokens'),
      beside('     Done.', '  1% used'),
      '',
      '  ┃',
      '  ┃',
      '  ┃  Build · Model',
      `  ╹${'▀'.repeat(83)}`,
    ];
    const snapshot: ChatSnapshot = plainSnapshot(rows.join('\n'), 130);
    expect(opencode.extract(snapshot).messages.map(({ text }) => text)).toEqual(['go', 'Done.']);
    const [first] = snapshot.rows;
    expect(first && opencode.mask?.(first, snapshot).text.trimEnd()).toBe('  ┃');
  });

  test.each([
    [['opencode'], true],
    [['node', '/usr/lib/node_modules/opencode-ai/bin/opencode', '-c'], true],
    [['npx', '-y', 'opencode-ai@1.18.33'], true],
    [['opencode', 'run', 'hello'], false],
    [['opencode', 'serve'], false],
    [['vim', 'opencode'], false],
  ] as const)('%j starts it: %j', (argv, starts) => {
    expect(opencode.isProgram?.(argv)).toBe(starts);
  });
});

describe('OpenCode in a wide window', () => {
  const WIDE = new URL('opencode/opencode-1.18.33-wide-160x45.cast', FIXTURES);
  const run = runOf(WIDE, opencode);
  const BESIDE = /A title|Context|tokens|% used|\$0\.00|LSP|New session/;

  test('the column beside the conversation is no part of what was said, nor of the rows that are compared', () => {
    const said = [...run.users.keys(), ...run.models, ...run.parts];
    expect(said.filter((text) => BESIDE.test(text))).toEqual([]);
    playCast(WIDE, ({ snapshot }) => {
      if (!/OC \| /.test(snapshot.title)) return;
      for (const row of snapshot.rows) expect(opencode.mask?.(row, snapshot).text).not.toMatch(BESIDE);
    });
  });

  test('prompts that wait in line are prompts, without the sign that they wait', () => {
    expect([...run.users.keys()]).toEqual(['hello', 'todo please', 'fail now', 'edit it']);
  });

  test('rows that are masked already read the same', () => {
    playCast(WIDE, ({ snapshot, marker }) => {
      if (marker !== 'snap:edited') return;
      const { to } = opencode.body?.(snapshot) ?? { to: 0 };
      const rows = snapshot.rows.map((row, at) => (at < to ? (opencode.mask?.(row, snapshot) ?? row) : row));
      expect(opencode.extract({ ...snapshot, rows })).toEqual(opencode.extract(snapshot));
    });
  });

  test('a reply is joined at the width of the conversation, its links and quotes are Markdown again', () => {
    const reply = (run.last.get('edited') ?? []).find(({ kind }) => kind === 'model')?.text;
    expect(reply).toBe(
      [
        'A very long line of words that is wrapped by the program because it does not fit into the width of the conversation beside the column, so that joining can be seen at work here. `code` and **bold** and *slanted*.',
        // It draws the bar of a quote and not its words, and code of a language it does not know as it draws text.
        GAP_LINE,
        '- one\n- two\n  - inner',
        'echo hi',
        'def f(x):\n    return x',
        'print(f(1))',
        '[a link](https://example.com) and 日本語.',
      ].join('\n\n'),
    );
  });
});
