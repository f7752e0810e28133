import { expect, test } from 'vitest';
import type { FrameRow } from '../../../../src-main/contract/screen/frame.ts';
import { ExtractorFactory } from '../../../../src-main/conversations/extraction/extractors/ExtractorFactory.ts';
import { plainSnapshot } from '../../../support/snapshots.ts';

const COLS = 50;
const bar = (glyph: string) => glyph.repeat(COLS);
const SCREENS: Record<string, { indent: number; head: string[]; foot: string[] }> = {
  claude: { indent: 2, head: ['❯ go', '', '● Intro.'], foot: [bar('─'), '❯ ', bar('─'), '  ? for shortcuts'] },
  codex: {
    indent: 2,
    head: ['› go', '', '• Intro.'],
    foot: ['', '› Ask Codex to do anything', '', '  gpt-5 default · /tmp/project'],
  },
  copilot: {
    indent: 3,
    head: [' ❯ go', '', ' ● Intro.'],
    foot: [' ~/p [main]', bar('─'), '❯ ', bar('─'), ' / commands · ? help'],
  },
  gemini: {
    indent: 2,
    head: [bar('▄'), ' > go', bar('▀'), '✦ Intro.'],
    foot: [bar('─'), ' Shift+Tab to accept edits', bar('▄'), ' >   Type your message or @path/to/file', bar('▀')],
  },
  opencode: {
    indent: 5,
    head: ['  ┃', '  ┃  go', '  ┃', '', '     Intro.'],
    foot: [
      '  ┃',
      '  ┃',
      '  ┃  Build · Mock Model Mock',
      `  ╹${'▀'.repeat(40)}`,
      '   /home/u/project     ctrl+p commands',
    ],
  },
};

/** What is said on a screen whose answer has these rows, and whether the screen is covered. */
function readOf(agent: string, answer: readonly string[], styled: (row: FrameRow) => FrameRow = (row) => row) {
  const screen = SCREENS[agent];
  if (!screen) throw new Error(`No screen of ${agent}`);
  const { indent, head, foot } = screen;
  const own = answer.map((line) => (line === '' ? '' : `${' '.repeat(indent)}${line}`));
  const shot = plainSnapshot([...head, '', ...own, '', ...foot].join('\n'), COLS);
  const at = head.length + 1;
  const rows = shot.rows.map((row, n) => (n >= at && n < at + own.length ? styled(row) : row));
  const { messages, isCovered, state } = new ExtractorFactory().byName(agent)?.extract({ ...shot, rows }) ?? {};
  return { said: messages?.map(({ kind, text }) => `${kind}: ${text}`), isCovered, state };
}

const ANSWER = { isCovered: false, state: 'idle' };

test.for([
  ['claude', 'Claude Code v2.1.0 has it.'],
  ['claude', 'Thought for 3 minutes, and no.'],
  ['copilot', 'Copilot v1.0.0 has it.'],
  ['gemini', 'Gemini CLI v0.61.0 has it.'],
  ['gemini', 'To resume this session: type.'],
  ['opencode', '~ 5 minutes in all.'],
])(
  'a row of an answer of %s that begins like what the program prints is a part of it: %s',
  ([agent = '', row = '']) => {
    const said = ['user: go', `model: Intro.\n\n${row}\n\nOutro.`];
    expect(readOf(agent, [row, '', 'Outro.'])).toEqual({ ...ANSWER, said });
  },
);

test('an answer of Codex ends with rows like those of a menu', () => {
  const said = ['user: go', 'model: Intro.\n\n/clear   Start a new chat\n/compact   Summarize'];
  expect(readOf('codex', ['/clear   Start a new chat', '/compact   Summarize'])).toEqual({ ...ANSWER, said });
});

test('words in one colour are no end of a turn of OpenCode', () => {
  const coloured = (row: FrameRow): FrameRow => ({
    ...row,
    spans: [{ text: row.text.slice(0, 5) }, { text: row.text.slice(5), fg: '#eeeeee' }],
  });
  const said = ['user: go', 'model: Intro.\n\nBuild succeeded.\n\nOutro.'];
  expect(readOf('opencode', ['Build succeeded.', '', 'Outro.'], coloured)).toEqual({ ...ANSWER, said });
});
