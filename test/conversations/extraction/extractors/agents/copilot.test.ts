import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { copilot } from '../../../../../src-main/conversations/extraction/extractors/agents/copilot.ts';
import { plainSnapshot, playCast } from '../../../../support/snapshots.ts';
import { FIXTURES, promise, runOf } from '../truthRun.ts';

const CAST = 'copilot/copilot-1.0.102-default-100x30.cast';
const STATES = {
  '00-start': 'needs_approval',
  '01-welcome': 'idle',
  '02-typed': 'idle',
  '03-busy': 'working',
  '04-reply': 'idle',
  '06-permission-shell': 'needs_approval',
  '07-after-shell': 'idle',
  '08-permission-edit': 'needs_approval',
  '10a-mid-stream': 'working',
  '10-long': 'idle',
  '11-resized': 'idle',
  '15-denied': 'idle',
  '17-after-clear': 'idle',
  '19-exit': 'exited',
} as const;

describe('Copilot, against what was typed and scripted', () => {
  // No screen showed the whole list of 60 rows.
  promise({ cast: CAST, users: 7, models: 8, states: STATES }, copilot);
});

describe('Copilot, beside what was said', () => {
  const run = runOf(new URL(CAST, FIXTURES), copilot);
  const told = (marker: string) =>
    (run.last.get(marker) ?? []).map(({ kind, text, tool }) => ({ kind, text, ...(tool ? { tool } : {}) }));

  test('what it tells of itself is no reply, and a tip is nothing', () => {
    expect(told('01-welcome').map(({ kind, text }) => `${kind}: ${text.slice(0, 25)}`)).toEqual([
      'welcome: Copilot v1.0.102 uses AI.',
      'notice: Model "mock-model" is not',
      'notice: No copilot-instructions.m',
      'notice: MCP Servers reloaded: 0 s',
    ]);
  });

  test('a call: name, command, status, and what came of it', () => {
    const input = 'printf "alpha\\nbeta\\n" && touch made-by-agent.txt';
    const shell = { kind: 'toolCall', text: 'Shell Print two lines and create a file' };
    expect(told('06-permission-shell').at(-2)).toEqual({ ...shell, tool: { name: 'Shell', input } });
    expect(told('07-after-shell').at(-2)).toEqual({ ...shell, tool: { name: 'Shell', input, status: 'done' } });
    expect(told('05-tool-read')[1]?.tool).toEqual({
      name: 'Read',
      input: 'greet.ts',
      status: 'done',
      output: '3 lines read',
    });
    expect(told('15-denied').slice(-3)).toEqual([
      {
        ...shell,
        tool: {
          name: 'Shell',
          input: 'echo oops >&2; touch x; exit 3',
          status: 'denied',
          output: 'Operation aborted by user',
        },
      },
      {
        kind: 'toolResult',
        text: 'Approval check\n  └ - Confirmation cancelled for shell command (touch, exit)',
      },
      { kind: 'notice', text: 'Operation cancelled by user' },
    ]);
  });

  test('what is asked, with the question and the options, without boxes and hints', () => {
    expect(told('06-permission-shell').at(-1)).toEqual({
      kind: 'permission',
      text: [
        'Print two lines and create a file',
        'printf "alpha\\nbeta\\n" && touch made-by-agent.txt',
        'Do you want to run this command?',
        '1. Yes',
        "2. Yes, and don't ask again for `printf` and `touch` in this repo (/home/u/repos/ws5)",
        '3. No, and tell Copilot what to do differently (Esc to stop)',
      ].join('\n'),
    });
  });

  test('dialogs and the menu of commands cover; the box tells what is typed', () => {
    const covering = ['snap:00-start', 'snap:06-permission-shell', 'snap:08-permission-edit', 'snap:16-slash-menu'];
    playCast(new URL(CAST, FIXTURES), ({ snapshot, marker }) => {
      if (marker === '') return;
      expect([marker, copilot.extract(snapshot).isCovered]).toEqual([marker, covering.includes(marker)]);
    });
    expect([run.drafts.get('02-typed'), run.drafts.get('04-reply')]).toEqual(['hello there', '']);
    expect(told('16-slash-menu').slice(-3)).toEqual(told('15-denied').slice(-3));
  });

  test('its last lines say with which id it goes on', () => {
    expect(run.resumeId).toBe('877596e1-d9c7-4596-ae66-fd3a7042976e');
    expect(told('19-exit').map(({ kind }) => kind)).toEqual(['exit']);
  });

  test('rows are masked: neither clock nor scroll bar is left, and nothing else is taken', () => {
    let masked = 0;
    playCast(new URL(CAST, FIXTURES), ({ snapshot }) => {
      const { to } = copilot.body?.(snapshot) ?? { to: 0 };
      for (const row of snapshot.rows.slice(snapshot.screenTop, snapshot.screenTop + to)) {
        const { text } = copilot.mask?.(row, snapshot) ?? row;
        if (text !== row.text) masked += 1;
        const cut = row.text.slice(text.length);
        expect(row.text.startsWith(text)).toBe(true);
        expect(cut).toMatch(/^(\s+\d\d:\d\d)?\s*┃?\s*$/);
        expect(copilot.mask?.({ ...row, text }, snapshot).text).toBe(text);
        expect(text).not.toMatch(/\d\d:\d\d\s*┃?\s*$/);
      }
    });
    expect(masked).toBeGreaterThan(1000);
  });

  test.for([
    ['show me every kind of markdown', '05:19', '#9198a1', 'show me every kind of markdown'],
    ['wake me tomorrow morning at', '05:19', '#f0f6fc', 'wake me tomorrow morning at 05:19'],
  ])('the time of a prompt that just fits its box is no part of it, but a time that was typed is: %s', (row) => {
    const [typed = '', time = '', fg = '', said = ''] = row;
    const text = `  ❯ ${typed} ${time}`;
    const cols = text.length + 2;
    const rule = '─'.repeat(cols);
    const shot = plainSnapshot(['', text, '', ' ● Yes.', '', ' /tmp', rule, '❯ ', rule, ' ? help'].join('\n'), cols);
    const spans = [
      { text: '  ' },
      ...(fg === '#f0f6fc'
        ? [{ text: text.slice(2), fg }]
        : [{ text: `❯ ${typed}`, fg: '#f0f6fc' }, { text: ' ' }, { text: time, fg }]),
    ];
    const rows = shot.rows.map((own, at) => (at === 1 ? { ...own, spans } : own));
    expect(copilot.extract({ ...shot, rows }).messages[0]).toMatchObject({ kind: 'user', text: said });
  });

  test('it is recognised from its first screen to its last line', () => {
    playCast(new URL(CAST, FIXTURES), ({ snapshot, marker }) => {
      if (marker !== '') expect([marker, copilot.recognise(snapshot)]).not.toEqual([marker, 0]);
    });
  });
});

describe('Copilot, forms', () => {
  test('the first screen of 0.0.328: its box is an empty input', () => {
    const text = readFileSync(new URL('others/agentapi/copilot-ready.txt', FIXTURES), 'utf8');
    const { messages, state, draft } = copilot.extract(plainSnapshot(text, 207));
    expect(messages.map(({ kind }) => kind)).toEqual(['welcome', 'notice', 'notice']);
    expect([state, draft]).toEqual(['idle', '']);
  });

  test.each([
    [['copilot'], true],
    [['copilot', '--resume=877596e1'], true],
    [['npx', '@github/copilot'], true],
    [['node', '/x/node_modules/@github/copilot/index.js'], true],
    [['copilot', '-p', 'say hi'], false],
    [['cat', 'copilot'], false],
  ] as const)('%j starts it: %j', (argv, starts) => {
    expect(copilot.isProgram?.(argv)).toBe(starts);
  });
});
