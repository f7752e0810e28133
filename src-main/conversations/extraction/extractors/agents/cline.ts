import { GAP_LINE } from '../../../../contract/chat/chat.ts';
import type {
  ChatSnapshot,
  ExtractedMessage,
  Extraction,
  IExtractor,
  RowRange,
} from '../../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../../contract/screen/frame.ts';
import type { Looks } from '../../markdown/inline.ts';
import { keepColumns, withRule } from '../../markdown/keepRow.ts';
import { restoreMarkdown } from '../../markdown/restoreMarkdown.ts';
import { columnsOf, cutRow } from '../../markdown/spans.ts';
import { unwrapped } from '../../markdown/unwrap.ts';
import { unfinished } from '../../merge/doubts.ts';
import { startsProgram } from '../commandWords.ts';
import { drawnParts } from '../drawnParts.ts';
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
/** Time to draw 400 rows, as the other program that draws with OpenTUI takes. */
const SWEEP_MS = 1200;
/** The shapes come from recordings of 3.0.65 alone. */
const CONFIDENCE = 0.6;
const PLACEHOLDER = /^(?:Ask anything\.\.\.|What can I do for you\?)$/;
const USER = /^ ❯ \S/;
/** The sign is a turning one while the message grows. It is alone while the first lines, a block of code, are not drawn. */
const SAID = /^ [*\u2800-\u28ff](?:\s|$)/;
const THINKING = /^ [\u2800-\u28ff] Thinking\.\.\. \(esc to cancel\)/;
/** What it thought, on one row or opened. It is no part of the answer. */
const THOUGHT = /^ [▶▼] Thinking: /;
/** A call that failed or was refused has an x. */
const CALL = /^ ([x*\u2800-\u28ff]) ([a-z]\w*)\((.*?)\)?$/;
/** The sign of a message that grows, and the one in its place in the rows that are compared. */
const TURNING = /^[ █▄▀][\u2800-\u28ff](?: |$)/;
const STILL = '⠿';
const GAP = `\n\n${GAP_LINE}\n\n`;
const RULE = /^\s*─{20,}\s*$/;
const TYPED = /^\s*❯ ?(.*?)\s*$/;
/** The screen before the first prompt, and after /clear. */
const HOME = /^\s*What can I do for you\?\s*$/;
/** The last rows: what it may spend, its folder, and what it may do. */
const MODE = /[○●] Plan\b/;
const WHOLE_MODE = /[○●] Plan [○●] Act \(Tab\)\s*$/;
const LAST = /^\s*(?:⏵⏵ )?Auto-approve all (?:en|dis)abled/;
/** In fewer columns, the row of `MODE` may be cut. */
const MODE_COLS = 60;
const REJECTED = /This tool call was (?:rejected|denied)/;
/** The sign of a command that failed is that of one that succeeded. */
const EXITED = /^\[Command exited with code [1-9]/;
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
  { name: 'spinner', state: 'working', versions: ['3.0.65', null], where: 'turn', match: TURNING },
  { name: 'input.box', state: 'idle', versions: ['3.0.65', null], where: 'foot', match: /^\s*❯/ },
];

/** Reads the screens of Cline 3. */
export const cline: IExtractor = {
  name: 'cline',
  label: 'Cline',
  version: 1,
  modelFlag: '--model',
  packages: PROGRAM.packages,
  sweepMs: SWEEP_MS,
  isProgram: (argv) => startsProgram(argv, PROGRAM),
  body,
  mask,
  recognise: ({ rows }) =>
    rows.some(({ text }) => WHOLE_MODE.test(text)) && rows.some(({ text }) => LAST.test(text)) ? 0.9 : 0,
  extract,
};

/**
 * The turning sign of a message whose first rows have scrolled out is drawn before the first row that is left. That row is left out: it was
 * on the screen before it reached the top.
 */
function body({ rows, screenTop, altScreen }: ChatSnapshot): RowRange {
  const texts = rows.slice(screenTop).map(({ text }) => text);
  return { from: altScreen && TURNING.test(texts[0] ?? '') ? 1 : 0, to: footOf(texts) };
}

/** The row without the scroll bar's thumb, and with a sign that does not turn: it would be another row in each picture. */
function mask(row: FrameRow, { cols, altScreen }: ChatSnapshot): FrameRow {
  return altScreen ? withStillSign(withoutScrollBar(row, cols)) : row;
}

/** The thumb is in the last column, right behind the text; for one picture, the first column of the first row has one. */
function withoutScrollBar(row: FrameRow, cols: number): FrameRow {
  const own = /^[█▄▀]/.test(row.text) ? withText(row, /^./, ' ') : row;
  if (!/[█▄▀]\s*$/.test(own.text) || columnsOf(own.text.trimEnd()) !== cols) return own;
  const kept = keepColumns(own, cols - 1);
  return keepColumns(kept, columnsOf(kept.text.trimEnd()));
}

function withStillSign(row: FrameRow): FrameRow {
  return TURNING.test(row.text) ? withText(row, /[\u2800-\u28ff]/, STILL) : row;
}

/** `what` is one character of the first span with it. */
function withText(row: FrameRow, what: RegExp, text: string): FrameRow {
  const at = row.spans.findIndex((span) => what.test(span.text));
  const spans = row.spans.map((span, own) => (own === at ? { ...span, text: span.text.replace(what, text) } : span));
  return { ...row, text: row.text.replace(what, text), spans };
}

function extract({ rows, cols, screenTop, header = [] }: ChatSnapshot): Extraction {
  const texts = rows.map(({ text }) => text);
  const foot = footOf(texts);
  const box = texts.findLastIndex((text, at) => at > foot && TYPED.test(text) && RULE.test(texts[at - 1] ?? ''));
  const own = texts.flatMap((text, at) => (at < foot && startsMessage(text) ? [at] : []));
  const starts = withHead(own, texts, foot);
  const thinks = texts.findLastIndex((text, at) => at < foot && THINKING.test(text));
  const end = thinks < 0 ? foot : thinks;
  const top = header.map(({ text }) => text);
  const isGrowing = thinks < 0 && [...top, ...texts.slice(screenTop, foot)].some((text) => TURNING.test(text));
  const messages = starts.flatMap((from, at) => {
    const place = { from, to: starts[at + 1] ?? end, end, cols, isGrowing };
    const message = messageOf(rows, place);
    return THOUGHT.test(texts[from] ?? '') || message.text === '' ? [] : [message];
  });
  const asked = texts.findLastIndex((text, at) => at < foot && USER.test(text));
  const turn = [...top, ...texts.slice(Math.max(asked + 1, screenTop), foot)];
  const state = stateByRules(STATE_RULES, { turn, foot: texts.slice(foot) });
  const draft = box >= 0 && { draft: draftOf(texts.slice(box)) };
  const home = texts.findIndex((text, at) => at < foot && HOME.test(text));
  if (home >= 0) return { messages: [welcomeOf(texts, home)], ...state, isCovered: false, ...draft };
  if (isMisfit(texts, cols)) return { messages: [], ...state, isCovered: true };
  return { messages, ...state, isCovered: box < 0, ...draft };
}

/** Its name is drawn as a picture; its folder is the row below the one with its mode. */
function welcomeOf(texts: readonly string[], at: number): ExtractedMessage {
  const folder = texts[texts.findIndex((text) => MODE.test(text)) + 1]?.trim() ?? '';
  const place = { fromRow: at, toRow: at + 1, isHeadCut: false, isOpen: false, confidence: CONFIDENCE };
  return { kind: 'welcome', text: `Cline\n${folder}`.trim(), ...place };
}

/** Whether the screen was drawn for another size: its rule or its mode are cut, or its last row is not at the bottom. */
function isMisfit(texts: readonly string[], cols: number): boolean {
  const rule = texts.findLast((text) => RULE.test(text)) ?? '';
  const mode = texts.findLast((text) => MODE.test(text)) ?? '';
  const last = texts.findLastIndex((text) => LAST.test(text));
  const isCut = mode !== '' && cols >= MODE_COLS && !WHOLE_MODE.test(mode);
  return isCut || (rule !== '' && columnsOf(rule.trimEnd()) < cols) || (last >= 0 && last < texts.length - 1);
}

/** The rows above the first message belong to an answer whose first rows have scrolled out. */
function withHead(starts: readonly number[], texts: readonly string[], foot: number): readonly number[] {
  const head = texts.slice(0, starts[0] ?? foot);
  const isAnswer = /^(?:─|╭─| Cline)/.test(texts[foot] ?? '') && head.some((text) => text.trim() !== '');
  const isCut =
    isAnswer &&
    head.every((text) => /^ {3}(?!⎿)/.test(text.padEnd(GUTTER))) &&
    head.some((text) => /^ {3}\S/.test(text));
  return isCut ? [0, ...starts] : starts;
}

function startsMessage(text: string): boolean {
  return USER.test(text) || THOUGHT.test(text) || CALL.test(text) || (SAID.test(text) && !THINKING.test(text));
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
  { from, to, end, cols, isGrowing }: { from: number; to: number; end: number; cols: number; isGrowing: boolean },
): ExtractedMessage {
  const own = rows.slice(from, to);
  const last = own.findLastIndex(({ text }) => text.trim() !== '');
  const first = rows[from]?.text ?? '';
  // Cline wraps its own rows, so a wrap mark of the terminal belongs to text that was in this row before
  const cut = own.slice(0, last + 1).map((row) => ({ ...withQuoteBar(cutRow(row, GUTTER)), wrapped: false }));
  const isOpen = to === end && isGrowing;
  const isHeadCut = !startsMessage(first);
  const place = { fromRow: from, toRow: from + last + 1, isHeadCut, isOpen, confidence: CONFIDENCE };
  const plain = cut.map(({ text }) => text.trimEnd()).join('\n');
  const lines = cut.map(({ text }) => text);
  if (USER.test(first)) return { kind: 'user', text: unwrapped(lines, cols - GUTTER - 1), ...place };
  const [, sign, name, input] = CALL.exec(first.trimEnd()) ?? [];
  if (name !== undefined)
    return { kind: 'toolCall', text: plain.trim(), tool: toolOf(cut, { sign, name, input }), ...place };
  return { ...place, kind: 'model', ...answerOf(cut, cols - GUTTER - 1) };
}

/** Quotes and blocks of code are drawn after the rest of an answer. */
function answerOf(rows: readonly FrameRow[], cols: number): Pick<ExtractedMessage, 'text' | 'hasGap' | 'doubt'> {
  const own = rows.map((row) => withRule(withRule(row, cols), cols - 1)); // the scroll bar takes one
  const above = Math.max(
    0,
    own.findIndex(({ text }) => text.trim() !== ''),
  );
  const { parts, isHeadless, isEndless } = drawnParts(own.slice(above), { looks: LOOKS, above });
  const drawn = parts.map((part) => restoreMarkdown(part, cols, LOOKS).trim());
  const text = [...(isHeadless ? [''] : []), ...drawn].join(GAP).trim();
  return {
    text,
    ...(drawn.length + Number(isHeadless) > 1 && { hasGap: true }),
    ...(isEndless && { doubt: unfinished(text) }),
  };
}

/** A quote with the bar that is read as Markdown. */
function withQuoteBar(row: FrameRow): FrameRow {
  if (!/^│(?: [^│]*)?$/.test(row.text)) return row;
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
  const failed = REJECTED.test(output) ? 'denied' : 'failed';
  const ended = EXITED.test(output) ? 'failed' : 'done';
  const status = sign === 'x' ? failed : sign === '*' && output !== '' ? ended : 'running';
  return { name, input, status, ...(output && { output }) };
}
