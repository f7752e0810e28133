import { type ChatTool, GAP_LINE } from '../../../../../contract/chat/chat.ts';
import type { ChatSnapshot, ExtractedMessage } from '../../../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { withoutTableHead } from '../../../markdown/cutEnds.ts';
import { withRule } from '../../../markdown/keepRow.ts';
import { withLinksWhole } from '../../../markdown/linkRows.ts';
import { restoreMarkdown } from '../../../markdown/restoreMarkdown.ts';
import { cutRow } from '../../../markdown/spans.ts';
import { unwrapped } from '../../../markdown/unwrap.ts';
import { allOf, unfinished } from '../../../merge/doubts.ts';
import { drawnParts, hasPlainCode } from '../../drawnParts.ts';
import { withLinks } from './links.ts';
import { LOOKS } from './looks.ts';
import { blockLines, type Piece } from './pieces.ts';
import type { Region } from './region.ts';

const READ_FROM_LOOKS = 0.9;
const HEAD_CUT = 0.6;
const INDENT = 5;
/** Columns left free beside a message: the indent, and two at the right. */
const MARGINS = 7;
/** A line below a prompt with its author and time, up to 1.0. */
const SIGNATURE = /^\s*\S+ \d{1,2}:\d\d:\d\d [AP]M$/;
const QUEUED = /^\s*QUEUED$/;
/** Verbs in the headings of finished calls, and the call's name while it runs. */
const DONE_VERBS: Readonly<Record<string, string>> = { Wrote: 'Write', Edited: 'Edit', Updated: 'Update' };

type Base = Omit<ExtractedMessage, 'kind' | 'text'>;

/** Returns the messages of a piece; empty if it is not part of the conversation. `above`: the piece before it, if known. */
export function messagesOf({ rows, cols }: ChatSnapshot, piece: Piece, above?: Piece): ExtractedMessage[] {
  const own = rows.slice(piece.from, piece.to);
  const base = { fromRow: piece.from, toRow: piece.to, isHeadCut: false, isOpen: false, confidence: READ_FROM_LOOKS };
  const isCut = above === undefined && isContent(own[0], piece);
  const room = above === undefined ? 0 : piece.from - above.to;
  const head = isCut ? { ...base, isHeadCut: true, confidence: HEAD_CUT } : base;
  switch (piece.kind) {
    case 'model':
      return modelMessage(own, { cols, room }, head);
    case 'summary':
      return modelMessage(own, { cols, room }, head).map((message) => ({ ...message, kind: 'notice' }));
    case 'user':
      return userMessage(own, cols, head);
    case 'inlineCall':
      return [{ ...base, kind: 'toolCall', ...inlineCall(own) }];
    case 'blockCall':
      return blockCall(own, head);
    case 'error':
      return [{ ...base, kind: 'notice', text: unwrapped(trimmedLines(own), cols - MARGINS) }];
    case 'interrupted':
      return [{ ...base, kind: 'notice', text: 'interrupted' }];
    default:
      return [];
  }
}

/** A block has an empty row above its text; without this row, its beginning is missing. */
function isContent(row: FrameRow | undefined, { kind }: Piece): boolean {
  if (kind === 'model' || kind === 'summary') return true;
  return row !== undefined && (kind === 'user' || kind === 'blockCall') && blockLines([row])[0] !== '';
}

/** The row without its indent and without addresses written after links; a quote's bar, or its sign up to 1.14, becomes the usual bar. */
function withoutIndent(row: FrameRow): FrameRow {
  const own = cutRow(row, Math.min(INDENT, row.text.length));
  const isMarked = /^> ?$/.test(own.spans[0]?.text ?? '') && own.spans[0]?.italic === true;
  const isQuote = isMarked || /^│( |$)[^│]*$/.test(own.text);
  const spans = own.spans
    .filter(({ text, href }) => href === undefined || text !== ` (${href})`)
    .map((span, at) => (isQuote && at === 0 ? { text: span.text.replace(/[│>]/, '▎') } : span));
  // The program wraps its own rows, so a wrap mark of the terminal belongs to text that was in this row before.
  return { spans, text: spans.map(({ text }) => text).join(''), wrapped: false };
}

/** `room`: number of blank rows above it. */
function modelMessage(
  rows: readonly FrameRow[],
  { cols, room }: { cols: number; room: number },
  base: Base,
): ExtractedMessage[] {
  const own = withLinksWhole(rows.map(withoutIndent), ({ text, href }) => text === href);
  const bare = own.map((row) => withRule(withLinks(row), cols - MARGINS));
  const { parts, isHeadless, isEndless } = drawnParts(base.isHeadCut ? withoutTableHead(bare) : bare, {
    looks: LOOKS,
    above: room,
  });
  const text = parts.map((part) => restoreMarkdown(part, cols - MARGINS, LOOKS)).join(`\n\n${GAP_LINE}\n\n`);
  const doubt = parts.some((part) => hasPlainCode(part, LOOKS))
    ? allOf(text, 'unformatted')
    : isEndless
      ? unfinished(text)
      : undefined;
  const marks = {
    ...(parts.length > 1 && { hasGap: true }),
    ...(isHeadless && { isHeadCut: true, confidence: HEAD_CUT }),
    ...(doubt && { doubt }),
  };
  return text === '' ? [] : [{ ...base, kind: 'model', text, ...marks }];
}

function trimmedLines(rows: readonly FrameRow[]): string[] {
  return blockLines(rows).map((line) => line.replace(/^ {1,2}/, ''));
}

function userMessage(rows: readonly FrameRow[], cols: number, base: Base): ExtractedMessage[] {
  const lines = trimmedLines(rows).filter((line) => !SIGNATURE.test(line) && !QUEUED.test(line));
  const text = unwrapped(lines, cols - MARGINS);
  if (text === '') return [];
  return [{ ...base, kind: /^\/[a-z][\w-]*( |$)/.test(text) ? 'command' : 'user', text }];
}

function inlineCall(rows: readonly FrameRow[]): { text: string; tool: ChatTool } {
  const [first, ...more] = rows.map(({ text }) => text.slice(INDENT).trim());
  const isDenied = rows[0]?.spans.some((span) => span.strike) === true;
  const isRunning = RUNNING.test(first ?? '');
  const status = isDenied ? { status: 'denied' as const } : isRunning ? { status: 'running' as const } : {};
  // A command shows its output in a block, so further rows belong to the command.
  const isCommand = isRunning || first?.startsWith('$ ') === true;
  const line = isCommand ? [first, ...more].join('\n') : (first ?? '');
  const call = callOf(line.replace(/^(?!\$)\S /, ''));
  const output = isCommand ? '' : more.join('\n');
  return { text: call.text, tool: { ...call.tool, ...status, ...(output === '' ? {} : { output }) } };
}

/** A line of a call, for example `Read greet.ts` or `$ ls`. */
function callOf(line: string): { text: string; tool: ChatTool } {
  if (line.startsWith('$ ')) return { text: line, tool: { name: 'Shell', input: line.slice(2) } };
  const [, verb = line, input = ''] = /^(\S+)\s+(.*)$/s.exec(line) ?? [];
  const name = DONE_VERBS[verb] ?? verb;
  return { text: `${name} ${input}`.trim(), tool: { name, ...(input === '' ? {} : { input }) } };
}

const RUNNING = /^[\u2800-\u28ff] /;

/** A call with its result: a heading or a command, an empty line, the output. */
function blockCall(rows: readonly FrameRow[], base: Base): ExtractedMessage[] {
  const lines = trimmedLines(rows);
  const at = lines.findIndex((line) => line.trim() !== '');
  // A running command has a spinner as its sign. Without the block's head, the row may be output that begins in the same way.
  const isRunning = !base.isHeadCut && RUNNING.test(lines[at] ?? '');
  const hasCommand = lines.slice(at + 1).some((line) => /^\$ /.test(line));
  if (isRunning) lines[at] = (lines[at] ?? '').replace(RUNNING, hasCommand ? '# ' : '$ ');
  const isHeaded = /^# /.test(lines[at] ?? '');
  let start = at;
  if (isHeaded) {
    const next = lines.findIndex((line, index) => index > at && line.trim() !== '');
    if (/^\$ /.test(lines[next] ?? '')) start = next;
  }
  const isCall = isHeaded || /^\$ /.test(lines[start] ?? '');
  const gap = lines.findIndex((line, index) => index > start && line.trim() === '');
  const callEnd = isCall ? (gap < 0 ? lines.length : gap) : start;
  const output = numbersOff(lines.slice(callEnd));
  const result = { ...base, kind: 'toolResult' as const, text: output, fromRow: base.fromRow + callEnd };
  if (!isCall) return output === '' ? [] : [result];
  const { text, tool } = callOf(lines.slice(start, callEnd).join('\n').replace(/^# /, ''));
  const call = { text, tool: isRunning ? { ...tool, status: 'running' as const } : tool };
  const whole = { ...base, isHeadCut: false, confidence: READ_FROM_LOOKS };
  const called = { ...whole, kind: 'toolCall' as const, ...call, toRow: base.fromRow + callEnd };
  return output === '' ? [called] : [called, { ...result, ...whole, fromRow: result.fromRow }];
}

/** Output without empty lines around it and without the line numbers of a file, if every line has one. */
function numbersOff(lines: readonly string[]): string {
  const text = lines.join('\n').replace(/^\s*\n|\s+$/g, '');
  const out = text === '' ? [] : text.split('\n');
  const isNumbered = out.length > 0 && out.every((line, at) => Number(/^\s*(\d+)( |$)/.exec(line)?.[1]) === at + 1);
  return (isNumbered ? out.map((line) => line.replace(/^\s*\d+ ?/, '')) : out).join('\n').trimEnd();
}

const HINTS = /\s{4,}(ctrl\+\w|⇆|↑↓|enter|esc)\s.*$/;

/** The dialog below the conversation: its title, subject and options, one by one. */
export function permissionOf({ rows }: ChatSnapshot, { top, bottom }: Region): ExtractedMessage {
  const lines = rows.slice(top, bottom).map(({ text }) => text.replace(/^ *┃ {0,4}/, '').replace(/\s*[█▀▄]?\s*$/, ''));
  const asked = lines.filter((line) => line.trim() !== '').map((line) => line.replace(/^△ /, ''));
  const options = asked.pop() ?? '';
  return {
    kind: 'permission',
    text: [
      ...asked,
      ...options
        .replace(HINTS, '')
        .trim()
        .split(/\s{2,}/),
    ]
      .map((line) => line.trimEnd())
      .join('\n'),
    fromRow: top,
    toRow: bottom,
    isHeadCut: false,
    isOpen: true,
    confidence: READ_FROM_LOOKS,
  };
}
