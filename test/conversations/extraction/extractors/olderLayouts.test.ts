import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IExtractor } from '../../../../src-main/contract/chat/extractor.ts';
import { copilot } from '../../../../src-main/conversations/extraction/extractors/agents/copilot.ts';
import { opencode } from '../../../../src-main/conversations/extraction/extractors/agents/opencode.ts';
import { qwen } from '../../../../src-main/conversations/extraction/extractors/agents/qwen.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { plainSnapshot } from '../../../support/snapshots.ts';

const COLS = 80;
const words = fc
  .array(fc.constantFrom('amber', 'bridge', 'candle', 'dragon', 'forest', 'kettle'), { minLength: 2, maxLength: 8 })
  .map((all) => all.join(' '));
/** A turn: the prompt, paragraphs of the answer, perhaps a quote and a command. */
const turn = fc.record({
  prompt: words,
  paragraphs: fc.array(words, { minLength: 1, maxLength: 3 }),
  quote: fc.option(fc.array(words, { minLength: 1, maxLength: 3 }), { nil: null }),
  command: fc.option(words, { nil: null }),
});
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

/** A version's drawing of a turn, with the rows above the first and below the last. */
interface Layout {
  readonly extractor: IExtractor;
  readonly head: readonly string[];
  readonly foot: readonly string[];
  draw(turn: Turn): string[];
}

const RULE = '─'.repeat(COLS);
const blank = (lines: readonly string[]) => lines.flatMap((line) => [line, '']);

const LAYOUTS: Readonly<Record<string, Layout>> = {
  'Copilot 1.0.49': {
    extractor: copilot,
    head: ['  ╭─╮╭─╮', '  ╰─╯╰─╯  Copilot v1.0.49 uses AI.', '  █ ▘▝ █  Check for mistakes.', '   ▔▔▔▔', ''],
    foot: [' /home/me/project', RULE, '❯', RULE, ' / commands · ? help'],
    draw: ({ prompt, paragraphs, quote, command }) => [
      ...blank([`❯ ${prompt}`]),
      ...blank(paragraphs.map((text, at) => (at === 0 ? `● ${text}` : `  ${text}`))),
      ...(quote ? [...quote.map((line) => `   ${line}`), ''] : []),
      ...(command ? [`● Do it (shell)`, `  │ ${command}`, '  └ 3 lines...', ''] : []),
    ],
  },
  'qwen-code 0.24': {
    extractor: qwen,
    head: ['  >_ Qwen Code (v0.24.4)', ''],
    foot: [RULE, '>   Type your message or @path/to/file', RULE],
    draw: ({ prompt, paragraphs, quote, command }) => [
      ...blank([`  > ${prompt}`]),
      ...blank(paragraphs.map((text, at) => (at === 0 ? `  ◆ ${text}` : `    ${text}`))),
      ...(quote ? [...quote.map((line) => `     │ ${line}`), ''] : []),
      ...(command ? [`  ✓ Shell ${command}`, '    done', ''] : []),
    ],
  },
};

/** The prompts, answers and inputs of tool calls that the extractor reads. */
function read({ extractor, head, foot, draw }: Layout, turns: readonly Turn[]): string[] {
  const screen = [...head, ...turns.flatMap(draw), ...foot].join('\n');
  return extractor.extract(plainSnapshot(screen, COLS)).messages.flatMap(({ kind, text, tool }) => {
    if (kind === 'toolCall') return [`call: ${tool?.input}`];
    return kind === 'user' || kind === 'model' ? [`${kind}: ${text}`] : [];
  });
}

function said({ prompt, paragraphs, quote, command }: Turn): string[] {
  const quoted = quote?.map((line) => `> ${line}`).join('\n');
  const answer = [...paragraphs, ...(quoted ? [quoted] : [])].join('\n\n');
  return [`user: ${prompt}`, `model: ${answer}`, ...(command ? [`call: ${command}`] : [])];
}

describe.each(Object.entries(LAYOUTS))('%s', (_, layout) => {
  test('is read as it was said, whatever the turns are', () => {
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 4 }), (turns) => {
        expect(read(layout, turns)).toEqual(turns.flatMap(said));
      }),
      fuzzRuns(60),
    );
  });
});

test('the header of OpenCode 1.1 is no prompt', () => {
  const screen = [
    '',
    '  ┃',
    `  ┃  # A title${' '.repeat(50)}120 ($0.00) v1.1.53`,
    '  ┃',
    '',
    '  ┃',
    '  ┃  make a release v1.2.3',
    '  ┃',
    '',
    '     It is made.',
    '',
    '  ┃',
    '  ┃',
    '  ┃  Build  Mock Model',
    `  ╹${'▀'.repeat(70)}`,
    '   tab agents  ctrl+p commands',
  ];
  const { messages } = opencode.extract(plainSnapshot(screen.join('\n'), COLS));
  expect(messages.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    'user: make a release v1.2.3',
    'model: It is made.',
  ]);
});
