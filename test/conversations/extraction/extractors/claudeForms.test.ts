import { describe, expect, test } from 'vitest';
import { claude } from '../../../../src-main/conversations/extraction/extractors/agents/claude.ts';
import { plainSnapshot } from '../../../support/snapshots.ts';

const RULE = '─'.repeat(100);
const told = (text: string) => {
  const { messages, state, isCovered } = claude.extract(plainSnapshot(text));
  return { said: messages.map(({ kind, text: said }) => `${kind}: ${said}`), state, isCovered };
};

describe('forms of Claude Code in plain lines', () => {
  test('old glyphs: `>` for the person, `⏺` for the model, calls by their shape', () => {
    const screen = [
      '> run it',
      '',
      '⏺ I call foo(bar) now.',
      '',
      '⏺ Bash(ls)',
      '  ⎿  a',
      '     b',
      '',
      '⏺ Done.',
      '',
      RULE,
      '> ',
      RULE,
      '  ? for shortcuts',
    ];
    expect(told(screen.join('\n'))).toEqual({
      said: ['user: run it', 'model: I call foo(bar) now.', 'toolCall: Bash(ls)', 'toolResult: a\nb', 'model: Done.'],
      state: 'idle',
      isCovered: false,
    });
  });

  test('calls of one server are one message while they go on and when they are done, whatever their number', () => {
    const screen = (row: string) => ['❯ go', '', row, '', '● Done.', '', RULE, '❯ ', RULE].join('\n');
    for (const row of ['Called docs 6 times · 1 failed', 'Called docs 6 times', 'Called my docs 2 times · 1 failed']) {
      const name = row.includes('my docs') ? 'my docs' : 'docs';
      expect(told(screen(`  ${row}`)).said).toEqual(['user: go', `toolCall: Call ${name}`, 'model: Done.']);
    }
    expect(told(screen('  Called docs 2 times, read 1 file · 1 failed')).said[1]).toMatch(
      /^toolCall: Called docs 2 times, /,
    );
  });

  test('a numbered dialog is a permission with its options, and covers', () => {
    const screen = [
      '❯ go',
      '',
      RULE,
      ' Bash command',
      '   touch x',
      ' Do you want to proceed?',
      ' ❯ 1. Yes',
      '   2. No',
      ' Esc to cancel',
    ];
    expect(told(screen.join('\n'))).toEqual({
      said: ['user: go', 'permission: Bash command\ntouch x\nDo you want to proceed?\n1. Yes\n2. No'],
      state: 'needs_approval',
      isCovered: true,
    });
  });

  test('the transcript overlay and the menu of commands cover; neither is part of what was said', () => {
    const overlay = ['❯ go', '', '● Done.', RULE, '  Showing detailed transcript · ctrl+o to toggle'];
    expect(told(overlay.join('\n'))).toMatchObject({ said: ['user: go', 'model: Done.'], isCovered: true });
    const menu = ['❯ go', '', '● Done.', '  ❯ /clear      Start anew', RULE, '❯ /clear', RULE, '  ⏸ manual mode on'];
    expect(told(menu.join('\n'))).toMatchObject({ said: ['user: go', 'model: Done.'], isCovered: true });
  });

  test('spinners, thoughts and ends of turns are no messages', () => {
    const screen = [
      '❯ go',
      '',
      '  Thought for 1s',
      '',
      '● Done.',
      '',
      '✻ Cooked for 2s · done 3:15 PM',
      '',
      RULE,
      '❯ ',
      RULE,
    ];
    expect(told(screen.join('\n')).said).toEqual(['user: go', 'model: Done.']);
    expect(told(['❯ go', '', '✢ Kneading… (0s · ↓ 2 tokens)', RULE, '❯ ', RULE].join('\n'))).toMatchObject({
      said: ['user: go'],
      state: 'working',
    });
  });

  test('an interruption ends the call above it; under an answer it is the program speaking', () => {
    const screen = [
      '❯ go',
      '',
      '● Bash(sleep 9)',
      '  ⎿  Interrupted · What should Claude do instead?',
      '',
      RULE,
      '❯ ',
      RULE,
    ];
    const { messages } = claude.extract(plainSnapshot(screen.join('\n')));
    expect(messages.map(({ kind, tool }) => [kind, tool?.status])).toEqual([
      ['user', undefined],
      ['toolCall', 'interrupted'],
      ['toolResult', undefined],
    ]);
    const answer = ['❯ go', '', '● I beg', '  ⎿  Interrupted · What should Claude do instead?', '', RULE, '❯ ', RULE];
    expect(told(answer.join('\n')).said).toEqual([
      'user: go',
      'model: I beg',
      'notice: Interrupted · What should Claude do instead?',
    ]);
    const paragraph = ['❯ go', '', '● I beg', '', '  Walnut lantern.', ...answer.slice(3)];
    expect(told(paragraph.join('\n')).said).toEqual([
      'user: go',
      'model: I beg\n\nWalnut lantern.',
      'notice: Interrupted · What should Claude do instead?',
    ]);
  });

  test('the menu of commands in a narrow terminal is no part of an answer', () => {
    const menu = [
      '  ❯ /add-dir        Add a working directory',
      '    …uto-mode-setup  Teach auto mode what to',
      '                    allow',
    ];
    const screen = ['❯ go', '', '● Done.', '', ...menu, RULE, '❯ /', RULE, '  ⏸ manual mode on'];
    expect(told(screen.join('\n'))).toMatchObject({ said: ['user: go', 'model: Done.'], isCovered: true });
  });

  test.each(['❯ ', '❯ /', '❯ fix it'])(
    'rows like those of a menu at the end of an answer are kept above %o',
    (draft) => {
      const screen = ['❯ go', '', '● Routes:', '  /health  returns ok', '', RULE, draft, RULE, '  ? for shortcuts'];
      expect(told(screen.join('\n')).said).toEqual(['user: go', 'model: Routes:\n/health  returns ok']);
    },
  );

  test('a menu that was left standing above the last words covers nothing', () => {
    const id = '7bbfbc04-01c3-4d24-b068-b99ab6a2ec53';
    const screen = [
      '● Bye.',
      RULE,
      '❯ /exit',
      RULE,
      '  /exit    Exit the CLI',
      '',
      'Resume this session with:',
      `claude --resume ${id}`,
    ];
    expect(claude.extract(plainSnapshot(screen.join('\n')))).toMatchObject({
      state: 'exited',
      isCovered: false,
      resumeId: id,
    });
  });

  test('what is typed is told, over its lines; the hint of an empty box is not', () => {
    const draft = (...lines: string[]) =>
      claude.extract(plainSnapshot(['● Hi.', RULE, ...lines, RULE].join('\n'))).draft;
    expect([draft('❯ '), draft('❯ one', '  two'), draft('❯ Try "fix the tests"')]).toEqual(['', 'one\ntwo', '']);
  });

  test('code and bullets have the colours of every theme, true or of the palette', () => {
    const told = ['#b1b9f9', 153, '#5769f7', 105, '#ffffff'].map((fg) => {
      const spans = [{ text: '● ' }, { text: 'x', fg }];
      const answer = { text: '● x', spans, wrapped: false };
      return claude.extract({
        ...plainSnapshot(''),
        rows: [answer, ...plainSnapshot([RULE, '❯ ', RULE].join('\n')).rows],
      }).messages[0]?.text;
    });
    expect(told).toEqual(['`x`', '`x`', '`x`', '`x`', 'x']);
  });

  test('titles and notifications: the sign of rest tells nothing, a dialog waits under it too', () => {
    expect(
      ['◐ Claude Code', '⠂ topic', '✳ Claude Code', ''].map((title) => claude.stateOfTitle?.(title)?.state),
    ).toEqual(['working', 'working', undefined, undefined]);
    const texts = ['Claude needs your permission to use Bash', 'Claude is waiting for your input', 'hello'];
    expect(texts.map((text) => claude.stateOfNotification?.(text)?.state)).toEqual([
      'needs_approval',
      'idle',
      undefined,
    ]);
  });

  test("the screen reader's mode is read by its speakers", () => {
    const screen = [
      'you: hello',
      'Seasoning…',
      'manual mode on  ·  esc to interrupt',
      'Thought for 1s',
      'claude: Hi',
      'there.',
      'Worked for 2s',
      'tool: Bash (ls -la)',
      'Waiting…',
    ];
    expect(told(screen.join('\n')).said).toEqual(['user: hello', 'model: Hi\nthere.', 'toolCall: Bash (ls -la)']);
  });
});
