import type { ChatSnapshot, ExtractedMessage, Extraction, IExtractor } from '../../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../../contract/screen/frame.ts';
import type { Looks } from '../../markdown/inline.ts';
import { keepColumns } from '../../markdown/keepRow.ts';
import { restoreMarkdown } from '../../markdown/restoreMarkdown.ts';
import { columnsOf, cutRow } from '../../markdown/spans.ts';
import { allOf } from '../../merge/doubts.ts';
import { startsProgram } from '../commandWords.ts';
import { type StateRule, stateByRules } from '../stateRules.ts';

const PROGRAM = {
  commands: ['cline'],
  packages: ['cline'],
  screenless: [
    ...['auth', 'config', 'plugin', 'skill', 'connect', 'mcp', 'doctor', 'history', 'h', 'hook', 'schedule', 'hub'],
    ...['--json', '--acp', '-z', '--zen', '--update', '--version', '-V', '--help', '-h'],
  ],
};
/** Columns before the text of a message: a margin, the sign and a space. */
const GUTTER = 3;
/** The shapes come from one recording of 3.0.65. */
const CONFIDENCE = 0.6;
const PLACEHOLDER = /^(?:Ask anything\.\.\.|What can I do for you\?)$/;
const USER = /^ ❯ \S/;
/** The sign is a turning one while the message grows. */
const SAID = /^ [*\u2800-\u28ff] \S/;
const THINKING = /^ [\u2800-\u28ff] Thinking\.\.\. \(esc to cancel\)/;
/** A call that failed or was refused has an x. */
const CALL = /^ ([x*\u2800-\u28ff]) ([a-z]\w*)\((.*?)\)?$/;
const RULE = /^\s*─{20,}\s*$/;
const TYPED = /^\s*❯ ?(.*?)\s*$/;
/** A permission prompt takes the place of the input box. */
const DIALOG = /^ (?:Cline needs permission|Approve tool call\?)\s*$/;
const LOOKS: Looks = {
  isCode: (fg) => fg === '#99e89b',
  isSyntax: (fg) => fg === '#abb2bf' || fg === '#d7a0e3',
  slantsQuotes: true,
};
type Part = 'turn' | 'foot';
const STATE_RULES: readonly StateRule<Part>[] = [
  { name: 'permission', state: 'needs_approval', versions: ['3.0.65', null], where: 'foot', match: DIALOG },
  { name: 'spinner', state: 'working', versions: ['3.0.65', null], where: 'turn', match: /^ [\u2800-\u28ff](?: |$)/ },
  { name: 'input.box', state: 'idle', versions: ['3.0.65', null], where: 'foot', match: /^\s*❯/ },
];

/** Reads the screens of Cline 3. */
export const cline: IExtractor = {
  name: 'cline',
  label: 'Cline',
  version: 1,
  modelFlag: '--model',
  packages: PROGRAM.packages,
  isProgram: (argv) => startsProgram(argv, PROGRAM),
  mask: withoutScrollBar,
  recognise: ({ rows }) =>
    rows.some(({ text }) => /○ Plan ● Act \(Tab\)|● Plan ○ Act \(Tab\)/.test(text)) &&
    rows.some(({ text }) => /^\s*(?:⏵⏵ )?Auto-approve all (?:en|dis)abled/.test(text))
      ? 0.9
      : 0,
  extract,
};

/** The thumb of the scroll bar is in the last column, right behind the text. */
function withoutScrollBar(row: FrameRow, { cols, altScreen }: ChatSnapshot): FrameRow {
  if (!altScreen || !/[█▄▀]\s*$/.test(row.text) || columnsOf(row.text.trimEnd()) !== cols) return row;
  const kept = keepColumns(row, cols - 1);
  return keepColumns(kept, columnsOf(kept.text.trimEnd()));
}

function extract({ rows, cols }: ChatSnapshot): Extraction {
  const texts = rows.map(({ text }) => text);
  const foot = footOf(texts);
  const box = texts.findLastIndex((text, at) => at > foot && TYPED.test(text) && RULE.test(texts[at - 1] ?? ''));
  const starts = texts.flatMap((text, at) => (at < foot && startsMessage(text) ? [at] : []));
  const thinks = texts.findLastIndex((text, at) => at < foot && THINKING.test(text));
  const end = thinks < 0 ? foot : thinks;
  const messages = starts.map((from, at) => messageOf(rows, { from, to: starts[at + 1] ?? end, end, cols }));
  const asked = texts.findLastIndex((text, at) => at < foot && USER.test(text));
  const state = stateByRules(STATE_RULES, { turn: texts.slice(asked + 1, foot), foot: texts.slice(foot) });
  return { messages, ...state, isCovered: box < 0, ...(box >= 0 && { draft: draftOf(texts.slice(box)) }) };
}

function startsMessage(text: string): boolean {
  return USER.test(text) || CALL.test(text) || (SAID.test(text) && !THINKING.test(text));
}

/** First row of the input box with the menu of commands above it, or of the permission prompt in its place. */
function footOf(texts: readonly string[]): number {
  const box = texts.findLastIndex((text, at) => RULE.test(text) && TYPED.test(texts[at + 1] ?? ''));
  if (box >= 0)
    return /^╰─/.test(texts[box - 1] ?? '') ? texts.findLastIndex((text, at) => at < box && /^╭─/.test(text)) : box;
  const dialog = texts.findLastIndex((text) => /^ Cline needs permission\s*$/.test(text));
  return dialog >= 0 ? dialog : texts.length;
}

function draftOf(texts: readonly string[]): string {
  const end = texts.findIndex((text, at) => at > 0 && RULE.test(text));
  const lines = texts.slice(0, end < 0 ? 1 : end).map((text, at) => (at === 0 ? TYPED.exec(text)?.[1] : text.trim()));
  const draft = lines.join('\n').trim();
  return PLACEHOLDER.test(draft) ? '' : draft;
}

function messageOf(
  rows: readonly FrameRow[],
  { from, to, end, cols }: { from: number; to: number; end: number; cols: number },
): ExtractedMessage {
  const own = rows.slice(from, to);
  const last = own.findLastIndex(({ text }) => text.trim() !== '');
  const first = rows[from]?.text ?? '';
  const isOpen = to === end && /^ [\u2800-\u28ff]/.test(first);
  const place = { fromRow: from, toRow: from + last + 1, isHeadCut: false, isOpen, confidence: CONFIDENCE };
  const cut = own.slice(0, last + 1).map((row) => withQuoteBar(cutRow(row, GUTTER)));
  const plain = cut.map(({ text }) => text.trimEnd()).join('\n');
  if (USER.test(first)) return { kind: 'user', text: plain.trim(), ...place };
  const [, sign, name, input] = CALL.exec(first.trimEnd()) ?? [];
  if (name !== undefined)
    return { kind: 'toolCall', text: plain.trim(), tool: toolOf(cut, { sign, name, input }), ...place };
  const text = restoreMarkdown(cut, cols - GUTTER - 1, LOOKS).trim();
  // every answer is in doubt: one that grew while it scrolled came in several parts in a recording
  return { kind: 'model', text, doubt: allOf(text, 'joined'), ...place };
}

/** A quote with the bar that is read as Markdown. */
function withQuoteBar(row: FrameRow): FrameRow {
  if (!/^│ [^│]*$/.test(row.text)) return row;
  const spans = row.spans.map((span, at) => (at === 0 ? { ...span, text: span.text.replace('│', '▎') } : span));
  return { ...row, text: row.text.replace('│', '▎'), spans };
}

function toolOf(
  [, ...rest]: readonly FrameRow[],
  { sign, name, input = '' }: { sign: string | undefined; name: string; input: string | undefined },
): NonNullable<ExtractedMessage['tool']> {
  const output = rest
    .map(({ text }) => text.replace(/^⎿ | {2}/, '').trimEnd())
    .join('\n')
    .trim();
  const status = sign === 'x' ? 'failed' : sign === '*' && output !== '' ? 'done' : 'running';
  return { name, input, status, ...(output && { output }) };
}
