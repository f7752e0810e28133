import { describe, expect, test } from 'vitest';
import type { IExtractor } from '../../../../src-main/contract/chat/extractor.ts';
import { claude } from '../../../../src-main/conversations/extraction/extractors/agents/claude.ts';
import { codex } from '../../../../src-main/conversations/extraction/extractors/agents/codex.ts';
import { copilot } from '../../../../src-main/conversations/extraction/extractors/agents/copilot.ts';
import { gemini } from '../../../../src-main/conversations/extraction/extractors/agents/gemini.ts';
import { opencode } from '../../../../src-main/conversations/extraction/extractors/agents/opencode.ts';
import { plainSnapshot } from '../../../support/snapshots.ts';

const COLS = 60;
const snapshotOf = (lines: readonly string[]) => plainSnapshot(lines.join('\n'), COLS);
const told = (extractor: IExtractor, lines: readonly string[]) =>
  extractor.extract(snapshotOf(lines)).messages.map(({ kind, text, tool }) => ({ kind, text, ...(tool && { tool }) }));
const line = (glyph: string) => glyph.repeat(COLS);

const CLAUDE_BOX = ['', line('─'), '❯ ', line('─'), '  ⏸ manual mode on · ? for shortcuts'];
const CLAUDE_MENU = ['  ❯ /exit                     Exit', line('─'), '❯ /', line('─'), '  ⏸ manual mode on'];
const CODEX_BOX = ['', '', '› Ask Codex to do anything', '', '  gpt-5 default · /tmp/project'];
const GEMINI_BOX = ['', line('─'), ' Shift+Tab to accept edits', line('▄'), ' >   Type your message', line('▀')];

describe('Claude Code, beside what is said', () => {
  test('what stands below a call that is told in words is its input, not its result', () => {
    const lines = ['● Now.', '', '  Ran 1 shell command', '  ⎿  $ printf a', '     b', '', '● Done.', ...CLAUDE_BOX];
    expect(told(claude, lines)).toEqual([
      { kind: 'model', text: 'Now.' },
      {
        kind: 'toolCall',
        text: 'Ran 1 shell command printf a\nb',
        tool: { name: 'Bash', input: 'printf a\nb' },
      },
      { kind: 'model', text: 'Done.' },
    ]);
  });

  test.each([['Tip: Use /memory'], ['Queued · ctrl+x ctrl+s to send now'], ['Waiting…'], ['Running…']])(
    '"%s" is nobody’s word',
    (aside) => {
      const lines = ['● Bash(ls)', `  ⎿  ${aside}`, ...CLAUDE_BOX];
      expect(told(claude, lines)).toEqual([
        { kind: 'toolCall', text: 'Bash(ls)', tool: { name: 'Bash', input: 'ls' } },
      ]);
    },
  );

  test('how many of several calls failed tells of each only where all did', () => {
    const statuses = ['1 shell command · 1 failed', '2 shell commands · 1 failed', '1 shell command'].map((words) => {
      return told(claude, ['● Now.', '', `  Ran ${words}`, ...CLAUDE_BOX])[1]?.tool?.status;
    });
    expect(statuses).toEqual(['failed', undefined, undefined]);
  });

  test('a prompt that a menu may cover in part is told when the menu is gone', () => {
    const said = ['● Hello.', '', '❯ one', '  two'];
    expect(told(claude, [...said, ...CLAUDE_MENU]).map(({ kind }) => kind)).toEqual(['model']);
    expect(told(claude, [...said, ...CLAUDE_BOX]).map(({ text }) => text)).toEqual(['Hello.', 'one\ntwo']);
  });

  test('a screen that is still being drawn covers, and its last message is not told yet', () => {
    const half = { ...snapshotOf(['❯ count', '', '● One.', '', '  Tw']), altScreen: true };
    const { messages, isCovered } = claude.extract(half);
    expect([messages.map(({ kind }) => kind), isCovered]).toEqual([['user'], true]);
  });
});

describe('Codex, beside what is said', () => {
  test('a command that exited with a status has failed; one that the person refused was denied', () => {
    const failed = ['• Exited (status 3) exit 3', '  └ oops', ...CODEX_BOX];
    expect(told(codex, failed)[0]?.tool).toEqual({ name: 'Run', input: 'exit 3', status: 'failed' });
    const denied = [
      '✗ You canceled the request to run rm',
      '',
      '• Exited (status 1) rm',
      '  └ (no output)',
      ...CODEX_BOX,
    ];
    expect(told(codex, denied)[1]?.tool).toEqual({ name: 'Run', input: 'rm', status: 'denied' });
  });

  test('a tip below an answer is nobody’s word', () => {
    expect(told(codex, ['• Done.', '  └ Tip: Use /init', ...CODEX_BOX])).toEqual([{ kind: 'model', text: 'Done.' }]);
  });

  test('a greeting is told once its folder is known', () => {
    expect(told(codex, ['  >_ OpenAI Codex (v0.169.0)', '     loading', ...CODEX_BOX])).toEqual([]);
    expect(told(codex, ['  >_ OpenAI Codex (v0.169.0)', '     /tmp/project', ...CODEX_BOX])).toHaveLength(1);
  });
});

describe('Gemini CLI, beside what is said', () => {
  test('a prompt that waits its turn is none yet', () => {
    const said = ['✦ Hello.', ''];
    const queue = ['  Queued (press ↑ to edit):', '    print a list', '    and more', ''];
    expect(told(gemini, [...said, ...queue, ...GEMINI_BOX])).toEqual(told(gemini, [...said, ...GEMINI_BOX]));
    expect(told(gemini, [...queue, ...GEMINI_BOX])).toEqual([]);
  });
});

describe('OpenCode, beside what is said', () => {
  test('how long it thought is no part of its answer', () => {
    const lines = ['     + Thought: 8ms', '', '     Hello.', '', '  ┃', '  ┃', `  ╹${'▀'.repeat(40)}`];
    expect(told(opencode, lines)).toEqual([{ kind: 'model', text: 'Hello.' }]);
  });
});

describe('Copilot, where the terminal has told its colours', () => {
  const top = ['  Current   Sessions   Issues   Pull requests   Gists', ''];
  const box = (typed: string) => [' /tmp/project', `╻${'▄'.repeat(59)}`, `┃ ${typed}`, `╹${'▀'.repeat(59)}`];
  const prompt = [` ${'▄'.repeat(57)}`, `  ❯ hello there${' '.repeat(38)}23:27`, ` ${'▀'.repeat(57)}`];

  test('prompts stand between bars, the input in a bar; what it thinks is no prompt', () => {
    const lines = [...top, ...prompt, ' ❯ Thought for 1s', '', ' ● Hello!', '', ...box('and'), ' ? help'];
    const { messages, state, draft, isCovered } = copilot.extract(snapshotOf(lines));
    expect(messages.map(({ kind, text }) => [kind, text])).toEqual([
      ['user', 'hello there'],
      ['model', 'Hello!'],
    ]);
    expect({ state, draft, isCovered }).toEqual({ state: 'idle', draft: 'and', isCovered: false });
  });

  test('it works while its footer says so', () => {
    const lines = [...top, ...prompt, ' ❯ Thinking…', '', ...box(''), ' ◉ Working esc esc interrupt'];
    expect(copilot.extract(snapshotOf(lines)).state).toBe('working');
    expect(copilot.recognise(snapshotOf(lines))).toBeGreaterThan(0.5);
  });
});
