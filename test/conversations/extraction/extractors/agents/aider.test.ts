import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { aider } from '../../../../../src-main/conversations/extraction/extractors/agents/aider.ts';
import { plainSnapshot } from '../../../../support/snapshots.ts';
import { FIXTURES } from '../truthRun.ts';

const COLS = 80;
const read = (name: string) => readFileSync(new URL(`others/agentapi/aider-${name}.txt`, FIXTURES), 'utf8');
const told = (text: string) => {
  const { messages, state, draft } = aider.extract(plainSnapshot(text, COLS));
  return { said: messages.map(({ kind, text: said }) => ({ kind, text: said })), state, draft };
};

describe('Aider, by the screens of others', () => {
  test('the first screen is a welcome, and idle once there is a prompt', () => {
    const welcome = {
      kind: 'welcome',
      text: [
        'Aider v0.81.1',
        'Main model: anthropic/claude-3-7-sonnet-20250219 with diff edit format, infinite',
        'output',
        'Weak model: anthropic/claude-3-5-haiku-20241022',
        'Git repo: .git with 47 files',
        'Repo-map: using 4096 tokens, auto refresh',
      ].join('\n'),
    };
    expect(told(read('ready'))).toEqual({ said: [welcome], state: 'idle', draft: '' });
    expect(told(read('not_ready'))).toEqual({ said: [welcome], state: 'unknown', draft: undefined });
  });

  test('a turn: what was typed, the answer with its lines joined, without the tokens', () => {
    expect(told(read('second_message'))).toEqual({
      said: [
        { kind: 'user', text: 'how are you?' },
        {
          kind: 'model',
          text: [
            "I'm doing well, thank you for asking! How can I help you with your project today?",
            "If you have a specific task or feature you'd like to implement in your codebase, please let me know, and I can suggest which files would need to be edited to accomplish that.",
          ].join('\n\n'),
        },
      ],
      state: 'idle',
      draft: '',
    });
  });

  test('many typed lines are one message; questions and edits are told apart from the answer', () => {
    const { said } = told(read('multi-line-input'));
    expect(said.map(({ kind, text }) => [kind, text.split('\n')[0]?.slice(0, 44)])).toEqual([
      ['user', 'Which file is this code from?'],
      ['model', 'Based on the code snippet you shared, this a'],
      ['permission', 'chat/src/components/ChatInterface.tsx'],
      ['model', 'Looking at the code you shared and comparing'],
      ['notice', 'Applied edit to chat/src/components/ChatInte'],
      ['notice', 'Commit 24baf2d refactor: Update polling inte'],
    ]);
    expect(said[0]?.text.split('\n')).toHaveLength(19);
    expect(said[3]?.text).toContain('```\n<<<<<<< SEARCH\n    // Set up polling');
    expect(said[3]?.text).toContain('>>>>>>> REPLACE\n```\n\nThis change will:');
    expect(said.map(({ text }) => text).join('\n')).not.toMatch(/Tokens: |You can use \/undo/);
  });

  test('a question at the end waits for the person', () => {
    const question = "Add file to the chat? (Y)es/(N)o/(D)on't ask again [Yes]:";
    expect(told(`${'─'.repeat(COLS)}\n> go\n\nI need it.\n\nsrc/a.ts\n${question}`)).toEqual({
      said: [
        { kind: 'user', text: 'go' },
        { kind: 'model', text: 'I need it.' },
        { kind: 'permission', text: `src/a.ts\n${question}` },
      ],
      state: 'needs_approval',
      draft: undefined,
    });
  });

  test('a quoted line of an answer is no prompt, and what is being typed is a draft', () => {
    const rule = '─'.repeat(COLS);
    const screen = plainSnapshot(`${rule}\n> go\n\nThey said:\n> never\n\n${rule}\nsrc/a.ts\n> and n`, COLS);
    const { messages, draft } = aider.extract({ ...screen, cursorRow: 8 });
    expect(messages.map(({ kind, text }) => `${kind}: ${text}`)).toEqual(['user: go', 'model: They said:\n> never']);
    expect(draft).toBe('and n');
  });

  test.each([
    [['/usr/bin/python3', '/usr/local/bin/aider', '--model', 'x'], true],
    [['python3', '-m', 'aider'], true],
    [['uvx', 'aider-chat'], true],
    [['aider', '--version'], false],
  ] as const)('%j starts it: %j', (argv, starts) => {
    expect(aider.isProgram?.(argv)).toBe(starts);
  });
});
