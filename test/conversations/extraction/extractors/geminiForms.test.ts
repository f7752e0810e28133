import { describe, expect, test } from 'vitest';
import type { StyledSpan } from '../../../../src-main/contract/block.ts';
import { gemini } from '../../../../src-main/conversations/extraction/extractors/agents/gemini.ts';
import { plainSnapshot } from '../../../support/snapshots.ts';

const told = (lines: readonly string[], cols = 60) => gemini.extract(plainSnapshot(lines.join('\n'), cols));
const said = (lines: readonly string[], cols = 60) =>
  told(lines, cols).messages.map(({ kind, text }) => `${kind}: ${text}`);
const bar = (glyph: string) => glyph.repeat(60);
const INPUT = [
  '',
  bar('─'),
  ' Shift+Tab to accept edits',
  bar('▄'),
  ' >   Type your message or @path/to/file',
  bar('▀'),
];

describe('forms of Gemini CLI in plain lines', () => {
  test('boxes around what is typed (before 0.20)', () => {
    const screen = [
      '╭──────────────────────────────╮',
      '│  > Which file is this from?  │',
      '│                              │',
      '│    const a = 1;              │',
      '╰──────────────────────────────╯',
      '',
      ' ╭─────────────────────────────╮',
      " │ ✔  SearchText 'const a'     │",
      ' │                             │',
      ' │    No matches found         │',
      ' ╰─────────────────────────────╯',
      "✦ I couldn't find it.",
      '',
      '╭──────────────────────────────╮',
      '│ >   Type your message or @pa │',
      '╰──────────────────────────────╯',
    ];
    expect(said(screen)).toEqual([
      'user: Which file is this from?\n\nconst a = 1;',
      "toolCall: SearchText 'const a'",
      'toolResult: No matches found',
      "model: I couldn't find it.",
    ]);
    expect(told(screen)).toMatchObject({ state: 'idle', draft: '' });
  });

  test('several tools in one box, one in a row, a thought: each for itself', () => {
    const screen = [
      '✦ Go.',
      '╭──────────────────────────────╮',
      '│ ✓  ReadFile a.ts             │',
      '│                              │',
      '│ one line                     │',
      '│                              │',
      '│ x  Shell false               │',
      '│                              │',
      '│ Exit code: 1                 │',
      '╰──────────────────────────────╯',
      ' Thinking... ',
      ' │ about it',
      '',
      '  -  Edit  b.ts → Rejected (+1, -1)',
      ...INPUT,
    ];
    const { messages } = told(screen);
    expect(messages.map(({ kind, text, tool }) => [kind, text, tool?.status])).toEqual([
      ['model', 'Go.', undefined],
      ['toolCall', 'ReadFile a.ts', 'done'],
      ['toolResult', 'one line', undefined],
      ['toolCall', 'Shell false', 'failed'],
      ['toolResult', 'Exit code: 1', undefined],
      ['toolCall', 'Edit b.ts', 'denied'],
      ['toolResult', 'Rejected (+1, -1)', undefined],
    ]);
  });

  test('the rest of an answer below the status row and the rule that a narrower window left is its end', () => {
    const old = [
      '✦ Walnut lantern ladder.',
      '',
      '  Orchard thunder island',
      '',
      '',
      ' ⠏ Thinking... (esc to cancel, 1s)      ? for ',
    ];
    const rest = ['  Orchard thunder island lemon jacket.', '', '  That is all.'];
    const left = [...old, 'shortcuts', bar('─'), ...rest, ...INPUT];
    const shot = plainSnapshot(left.join('\n'), 60);
    const rows = shot.rows.map((row) => ({ ...row, wrapped: row.text.startsWith('shortcuts') }));
    const { messages } = gemini.extract({ ...shot, rows });
    expect(messages.map(({ text }) => text)).toEqual([
      'Walnut lantern ladder.\n\nOrchard thunder island lemon jacket.\n\nThat is all.',
    ]);
  });

  test('the hint of a row without a status that a narrower window wrapped is not the end of the answer', () => {
    const shot = plainSnapshot(['✦ Walnut lantern.', '', '', '    ? for shortcuts', bar('─'), ...INPUT].join('\n'), 60);
    const rows = shot.rows.map((row) => ({ ...row, wrapped: row.text.includes('shortcuts') }));
    expect(gemini.extract({ ...shot, rows }).messages.map(({ text }) => text)).toEqual(['Walnut lantern.']);
  });

  test('text directly below a prompt is the end of an answer whose beginning a resize erased', () => {
    const prompt = [bar('▄'), ' > What is left?', bar('▀')];
    const screen = [...prompt, '  - castle button', '', '  That is all.', ...INPUT];
    expect(told(screen).messages.map(({ kind, text, isHeadCut }) => [kind, text, isHeadCut])).toEqual([
      ['user', 'What is left?', false],
      ['model', '- castle button\n\nThat is all.', true],
    ]);
    expect(said([...prompt, '', '  castle', ...INPUT])).toEqual(['user: What is left?']);
  });

  test('code below such an end begins the next answer: a second resize may have erased its prompt', () => {
    const shot = plainSnapshot([bar('▄'), ' > Left?', bar('▀'), '  - castle button', '', '', ...INPUT].join('\n'), 60);
    const spans: StyledSpan[] = [
      { text: '     ' },
      { text: '1', fg: '#afafaf' },
      { text: ' ' },
      { text: 'go();', fg: '#fff' },
    ];
    const code = { spans, text: '     1 go();', wrapped: false };
    const { messages } = gemini.extract({ ...shot, rows: shot.rows.with(5, code) });
    expect(messages.map(({ text }) => text)).toEqual(['Left?', '- castle button', '```\ngo();\n```']);
  });

  test('a screen that is drawn anew, without input box or dialog, tells nothing', () => {
    expect(told(['✦ Half a scr'])).toMatchObject({ messages: [], state: 'unknown', isCovered: true });
  });

  test('a shell whose prompt is a dollar says nothing before the first screen', () => {
    expect(said(['$ gemini', ...INPUT])).toEqual([]);
  });

  test('lines of code are told by their pale numbers, a long one is one line, numbers in prose are prose', () => {
    const pale = (text: string): StyledSpan => ({ text, fg: '#afafaf' });
    const rows = [
      [
        { text: '✦ ', fg: '#d7afff' },
        { text: 'See:', fg: '#ffffff' },
      ],
      [{ text: '   ' }, pale('1'), { text: ' ' }, { text: `const a = ${'"x" + '.repeat(7)}`, fg: '#ffffff' }],
      [{ text: '     ' }, { text: '"yyyyyyyyy";', fg: '#ffffff' }],
      [{ text: '   ' }, pale('2')],
      [{ text: '   ' }, pale('3'), { text: ' ' }, { text: 'b();', fg: '#87afff' }],
      [{ text: '  ' }, { text: '3 of them.', fg: '#ffffff' }],
    ].map((spans) => ({ spans, text: spans.map(({ text }) => text).join(''), wrapped: false }));
    const plain = plainSnapshot(INPUT.join('\n'), 60);
    const { messages } = gemini.extract({ ...plain, rows: [...rows, ...plain.rows] });
    expect(messages.map(({ text }) => text)).toEqual([
      `See:\n\n\`\`\`\nconst a = ${'"x" + '.repeat(7)}"yyyyyyyyy";\n\nb();\n\`\`\`\n\n3 of them.`,
    ]);
  });
});

test.each([
  [['✦ | falcon | rocket'], '| falcon | rocket'],
  [['✦ Pipes:', '  | is one'], 'Pipes:\n| is one'],
])('the last row of an answer that is over is kept though it begins with a bar', (rows, text) => {
  expect(said([' > ask', '', ...rows, ...INPUT])).toContain(`model: ${text}`);
});

describe('what does not come from the screen', () => {
  test('the title tells all of its states', () => {
    const titles = ['◇  Ready (ws)   ', '✦  Working… (ws)', '⏲  Working… (ws)', '✋  Action Required (ws)', '~/src'];
    expect(titles.map((title) => gemini.stateOfTitle?.(title)?.state)).toEqual([
      'idle',
      'working',
      'working',
      'needs_approval',
      undefined,
    ]);
  });

  test('notifications', () => {
    const texts = [
      'Gemini CLI session complete | Run finished | Gemini CLI finished responding.',
      'Gemini CLI needs your attention | Approval required | Approve tool action: Confirm Shell Command',
      'something else',
    ];
    expect(texts.map((text) => gemini.stateOfNotification?.(text)?.state)).toEqual([
      'idle',
      'needs_approval',
      undefined,
    ]);
  });
});
