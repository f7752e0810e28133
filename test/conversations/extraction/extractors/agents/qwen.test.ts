import { describe, expect, test } from 'vitest';
import { qwen } from '../../../../../src-main/conversations/extraction/extractors/agents/qwen.ts';
import { plainSnapshot } from '../../../../support/snapshots.ts';

const HEAD = ['  >_ Qwen Code (v0.15.10)', '', '  > run it', '', '  ✦ I run it now.', ''];
const told = (lines: readonly string[]) => qwen.extract(plainSnapshot(lines.join('\n'), 60));
const said = (lines: readonly string[]) => told(lines).messages.map(({ kind, text }) => `${kind}: ${text}`);

describe('qwen-code, forms in plain lines', () => {
  test('prompt, answer with a quote in it, a tool in a box, the input box', () => {
    const screen = [
      ...HEAD,
      '  ╭────────────────────────────────╮',
      '  │ ✓  Shell ls                    │',
      '  │                                │',
      '  │ a.txt                          │',
      '  ╰────────────────────────────────╯',
      '  ✦ It says:',
      '',
      '    > a.txt',
      '',
      '─'.repeat(60),
      '>   Type your message or @path/to/file',
      '─'.repeat(60),
    ];
    expect(said(screen)).toEqual([
      'welcome: >_ Qwen Code (v0.15.10)',
      'user: run it',
      'model: I run it now.',
      'toolCall: Shell ls',
      'toolResult: a.txt',
      'model: It says:\n\n> a.txt',
    ]);
    expect(told(screen)).toMatchObject({ state: 'idle', draft: '' });
  });

  test('a question in a box waits for an answer', () => {
    const screen = [
      ...HEAD,
      '  ╭────────────────────────────────╮',
      '  │ ?  Shell ls                    │',
      "  │ Allow execution of: 'ls'?      │",
      '  │ › 1. Yes, allow once           │',
      '  │   2. No, suggest changes (esc) │',
      '  ╰────────────────────────────────╯',
      '  ⠏ Waiting for user confirmation...',
    ];
    expect(told(screen)).toMatchObject({ state: 'needs_approval', isCovered: true });
    expect(said(screen).at(-1)).toBe(
      "permission: Shell ls\nAllow execution of: 'ls'?\n1. Yes, allow once\n2. No, suggest changes (esc)",
    );
  });

  test('its last words have the id to go on with', () => {
    const id = '7bbfbc04-01c3-4d24-b068-b99ab6a2ec53';
    const screen = [...HEAD, '  Agent powering down. Goodbye!', `  To continue this session, run qwen --resume ${id}`];
    expect(told(screen)).toMatchObject({ state: 'exited', resumeId: id });
  });
});
