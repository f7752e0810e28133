import type { ChatTool } from '../../../../../contract/chat/chat.ts';
import type { ChatSnapshot, ExtractedMessage } from '../../../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { withoutTableHead } from '../../../markdown/cutEnds.ts';
import { restoreMarkdown } from '../../../markdown/restoreMarkdown.ts';
import { cutRow } from '../../../markdown/spans.ts';
import { unwrapped } from '../../../markdown/unwrap.ts';
import { allOf } from '../../../merge/doubts.ts';
import { withoutBoxClock } from './edge.ts';
import { LOOKS as FLUSH_LOOKS, flushCall, withBars } from './flush.ts';
import { LOOKS } from './looks.ts';
import { type Piece, USER } from './pieces.ts';
import type { Region } from './region.ts';
import { CLEARED, WELCOME } from './rules.ts';

const READ_FROM_LOOKS = 0.9;
const HEAD_CUT = 0.6;
const INFERRED = 0.6;
/** Columns of a space, the sign and a space. */
const GUTTER = 3;
/** Columns of the gutter, the scroll bar and the space before it. */
const MARGINS = 5;
const SAID = /^ [●⏺] /;
/** The time of a prompt on a separate row, while the window gets narrower: people do not type this many blanks before a time. */
const LOST_CLOCK = /^\s{16,}\d{1,2}:\d\d( ?[AP]M)?\s*$/;
/** The time directly below its row, where a window of forty columns has broken it off. */
const BROKEN_CLOCK = /^\s{8,}\d{1,2}:\d\d( ?[AP]M)?\s*$/;
/** The upper edge of the box around a prompt. */
const BOX = /^ {1,2}▄{8,}/;
/** A rule across the screen, of any width. */
const RULE = '─'.repeat(20);
/** The end of a call that has run: the size of its result, or the error. */
const FOLDED = /^(.*?)\s+(\d+ lines?…)$/;
const GAVE = /^(.*?)\s+(\d+ lines? read|\d+ (?:files?|match(?:es)?|results?)(?: found)?|[+-]\d+(?: [+-]\d+)?)$/;
const ABORTED = /^(.*?)\s+(Operation aborted by user)$/;

/** `isFlush`: its rows were drawn in the layout up to 1.0.49. */
export interface CopilotScreen extends ChatSnapshot {
  readonly isFlush: boolean;
}

type Base = Omit<ExtractedMessage, 'kind' | 'text'>;

/** The messages of a piece; empty if the piece is not part of the conversation. */
export function messagesOf({ rows, cols, isFlush }: CopilotScreen, piece: Piece): ExtractedMessage[] {
  const own = rows.slice(piece.from, piece.to);
  const base = { fromRow: piece.from, toRow: piece.to, isHeadCut: false, isOpen: false, confidence: READ_FROM_LOOKS };
  switch (piece.kind) {
    case 'model':
      return isFlush ? flushMessage(own, base, cols) : modelMessage(own, base, cols);
    case 'user':
      return typed(own, base, { cols, above: rows[piece.from - 1]?.text ?? '' });
    case 'notice':
      return noticeOf(own, base, cols);
    case 'welcome':
      return welcome(own, base);
    case 'call':
      return (isFlush ? flushCallOf : callOf)(own, base, cols);
    default:
      return [];
  }
}

function modelMessage(rows: readonly FrameRow[], base: Base, cols: number): ExtractedMessage[] {
  const isHeadCut = !SAID.test(rows[0]?.text ?? '');
  const bare = rows.map(bared);
  const text = restoreMarkdown(isHeadCut ? withoutTableHead(bare) : bare, cols - MARGINS, LOOKS);
  if (text === '') return [];
  return [{ ...base, kind: 'model', text, ...(isHeadCut ? { isHeadCut, confidence: HEAD_CUT } : {}) }];
}

/** An answer in the layout up to 1.0.49, which draws a quote in the same way as plain code. */
function flushMessage(rows: readonly FrameRow[], base: Base, cols: number): ExtractedMessage[] {
  const isHeadCut = !SAID.test(rows[0]?.text ?? '');
  const drawn = withBars(rows.map((row) => cutRow(row, Math.min(GUTTER, row.text.length))));
  const text = restoreMarkdown(isHeadCut ? withoutTableHead(drawn.rows) : drawn.rows, cols - MARGINS, FLUSH_LOOKS);
  if (text === '') return [];
  const doubt = drawn.isDoubtful ? { doubt: allOf(text, 'unformatted') } : {};
  return [{ ...base, kind: 'model', text, ...doubt, ...(isHeadCut ? { isHeadCut, confidence: HEAD_CUT } : {}) }];
}

/** A prompt; `above` is the row above it. Without its sign it begins above the screen. */
function typed(
  rows: readonly FrameRow[],
  base: Base,
  { cols, above }: { cols: number; above: string },
): ExtractedMessage[] {
  const [head, ...below] = rows;
  if (head === undefined) return [];
  const boxCols = BOX.exec(above)?.[0].trimEnd().length ?? cols;
  const isHeadCut = !USER.test(head.text);
  const text = unwrapped(typedLines([withoutBoxClock(head, boxCols), ...below]), cols - MARGINS);
  if (text === '') return [];
  if (isHeadCut) return [{ ...base, kind: 'user', text, isHeadCut, confidence: HEAD_CUT }];
  return [{ ...base, kind: /^\/[a-z][\w-]*( |$)/.test(text) ? 'command' : 'user', text }];
}

/** The lines of a prompt. Between bars it is indented by one more column, and only there its beginning can be missing. */
function typedLines(rows: readonly FrameRow[]): string[] {
  const gutter = /^ ❯/.test(rows[0]?.text ?? '') ? GUTTER : GUTTER + 1;
  const own = rows.filter(({ text }, at) => at === 0 || !(at === 1 ? BROKEN_CLOCK : LOST_CLOCK).test(text));
  return own.map(({ text }) => text.slice(gutter).trimEnd());
}

function linesOf(rows: readonly FrameRow[]): string[] {
  return rows.map(({ text }) => text.slice(GUTTER).trimEnd());
}

/** The row without its gutter and without the blank around inline code; a quote gets the usual bar. */
function bared(row: FrameRow): FrameRow {
  const { spans, text, wrapped } = cutRow(row, Math.min(GUTTER, row.text.length));
  if (text.trimEnd() === RULE) return { text: '---', spans: [{ text: '---' }], wrapped };
  const isQuote = /^│( |$)[^│]*$/.test(text);
  const own = spans.map((span, at) => {
    if (LOOKS.isCode(span.fg, span)) return { ...span, text: span.text.replace(/^\s|\s$/g, '') };
    return isQuote && at === 0 ? { ...span, text: span.text.replace('│', '▎') } : span;
  });
  return { text: own.map((span) => span.text).join(''), spans: own, wrapped };
}

/** A note of the program. A fresh session stands for the command that began it, which is not drawn. */
function noticeOf(rows: readonly FrameRow[], base: Base, cols: number): ExtractedMessage[] {
  const notice = { ...base, kind: 'notice' as const, text: unwrapped(linesOf(rows), cols - MARGINS) };
  if (!CLEARED.test(notice.text)) return [notice];
  return [{ ...base, kind: 'command', text: '/clear', confidence: INFERRED }, notice];
}

/** The first line of a welcome names the program; without it, the rows are the rest of a welcome. */
function welcome(rows: readonly FrameRow[], base: Base): ExtractedMessage[] {
  const lines = rows.map(({ text }) => withoutLogo(text)).filter((line) => line !== '');
  return WELCOME.test(lines[0] ?? '') ? [{ ...base, kind: 'welcome', text: lines.join('\n') }] : [];
}

function withoutLogo(text: string): string {
  return text
    .replace(/^\s*[╭╰│█▔▘▝╴╶─╮╯┃ ]+(?=\S|$)/, '')
    .replace(/^\s*▔+/, '')
    .replace(/\s*│\s*$/, '')
    .trim();
}

/** A call: its sign, name and subject, a shell's command below, then its result. */
function callOf(rows: readonly FrameRow[], base: Base, cols: number): ExtractedMessage[] {
  const [head = '', ...more] = rows.map(({ text }) => text.trimEnd());
  const [, sign = '', name = '', rest = ''] = /^ (\S{1,2}) (\S+)\s*(.*)$/.exec(head) ?? [];
  const { subject, ...ended } = endOf(rest, sign);
  const isShell = name === 'Shell';
  const bold = rows.findIndex((row, at) => at > 0 && row.spans.some((span) => span.bold));
  const split = isShell ? (bold < 0 ? rows.length : bold) : 1;
  const input = isShell ? unwrapped(more.slice(0, split - 1).map(dedented), cols - MARGINS) : subject;
  const tool: ChatTool = { name, ...(input === '' ? {} : { input }), ...ended };
  const call = {
    ...base,
    kind: 'toolCall' as const,
    text: `${name} ${subject}`.trim(),
    tool,
    toRow: base.fromRow + split,
  };
  const text = more
    .slice(split - 1)
    .map(dedented)
    .join('\n')
    .trim();
  if (text === '') return [call];
  return [call, { ...base, kind: 'toolResult', text, fromRow: call.toRow }];
}

function flushCallOf(rows: readonly FrameRow[], base: Base, cols: number): ExtractedMessage[] {
  const call = flushCall(rows, cols - MARGINS);
  if (call === null) return callOf(rows, base, cols);
  const sign = call.status === 'failed' ? '✗' : '';
  const { subject, ...ended } = endOf([call.subject, call.told.split('\n')[0]].join(' ').trim(), sign);
  const input = call.name === 'Shell' ? call.input : subject;
  const status = ended.status ?? call.status;
  const tool: ChatTool = { name: call.name, ...(input && { input }), ...ended, ...(status && { status }) };
  const text = `${call.name} ${call.name === 'Shell' ? call.subject : subject}`.trim();
  return [{ ...base, kind: 'toolCall', text, tool }];
}

function dedented(line: string): string {
  return line.slice(Math.min(GUTTER, line.length));
}

function endOf(
  rest: string,
  sign: string,
): { subject: string; status?: NonNullable<ChatTool['status']>; output?: string } {
  const aborted = ABORTED.exec(rest);
  if (aborted) return { subject: aborted[1] ?? '', status: 'denied', output: aborted[2] ?? '' };
  const gave = GAVE.exec(rest);
  const status = sign === '✗' ? 'failed' : 'done';
  if (gave) return { subject: gave[1] ?? '', status, output: gave[2] ?? '' };
  const folded = FOLDED.exec(rest);
  if (folded) return { subject: folded[1] ?? '', status };
  return sign === '✗' ? { subject: rest, status } : { subject: rest };
}

const HINT = /\b(enter|esc) to (select|confirm|submit|cancel)/i;
const EDGE = /^[╭╰│─╮╯ ]*$/;

/** The dialog's lines without its boxes: its title, subject, question and options. */
export function permissionOf({ rows }: ChatSnapshot, { top, bottom }: Region): ExtractedMessage {
  const lines = rows
    .slice(top + 1, bottom)
    .map(({ text }) => text.trimEnd())
    .filter((text) => !EDGE.test(text) && !HINT.test(text))
    .map((text) => text.replace(/^ ?│ (?:│ |❯ | {2}(?=\d))?/, '').replace(/\s*(│\s*)+$/, ''));
  const place = { fromRow: top, toRow: bottom + 1, isHeadCut: false, isOpen: true, confidence: READ_FROM_LOOKS };
  return { kind: 'permission', text: lines.join('\n'), ...place };
}
