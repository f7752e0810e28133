import type { ChatTool } from '../../../../../contract/chat/chat.ts';
import type { ChatSnapshot, ExtractedMessage } from '../../../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { cutRow, joinWrapped } from '../../../markdown/spans.ts';
import { unwrapped } from '../../../markdown/unwrap.ts';
import { answerMarkdown } from './answer.ts';
import { bulletStatus } from './looks.ts';
import type { Piece } from './pieces.ts';
import { VERDICT, WELCOME } from './rules.ts';
import { withoutTail } from './tail.ts';
import { toolOf } from './tools.ts';

/** Columns of the glyph and space before a prompt or answer. */
const GUTTER = 2;
/** Columns of the glyphs and spaces before a call's further rows and its output. */
const BODY = 4;
const READ_FROM_LOOKS = 0.9;
const HEAD_CUT = 0.6;

/** The messages of the pieces; `isStreaming`: text still comes in. Sets the statuses that only the rows around a call show. */
export function messagesOf(snapshot: ChatSnapshot, pieces: readonly Piece[], isStreaming: boolean): ExtractedMessage[] {
  const messages: ExtractedMessage[] = [];
  for (const piece of pieces) {
    const message = messageOf(snapshot, piece, isStreaming && piece === pieces.at(-1));
    if (piece.kind === 'verdict') judgeLast(messages, snapshot.rows[piece.from]?.text ?? '');
    else if (message) messages.push(message);
  }
  return messages.map((message, at) => withDecision(message, messages, at));
}

function messageOf({ rows, cols }: ChatSnapshot, piece: Piece, isStreaming: boolean): ExtractedMessage | null {
  if (piece.kind === 'none' || piece.kind === 'verdict') return null;
  const all = trimmed(rows.slice(piece.from, piece.to));
  const own = piece.kind === 'model' && isStreaming ? trimmed(withoutTail(all, cols)) : all;
  const isHeadCut = isCut(piece, own[0]?.text ?? '');
  const base = {
    fromRow: piece.from,
    toRow: piece.from + own.length,
    isHeadCut,
    isOpen: false,
    confidence: isHeadCut ? HEAD_CUT : READ_FROM_LOOKS,
  };
  const texts = own.map((row) => row.text.trimEnd());
  switch (piece.kind) {
    case 'model': {
      const text = answerMarkdown(
        own.map((row) => cutRow(row, Math.min(GUTTER, row.text.length))),
        cols - GUTTER,
      );
      return text === '' ? null : { ...base, kind: 'model', text };
    }
    case 'user':
    case 'command': {
      const lines = texts.map((text) => text.replace(/^[›▌ ] /, ''));
      const text = unwrapped(lines, cols - GUTTER);
      return text === '' ? null : { ...base, kind: piece.kind, text };
    }
    case 'call':
      return { ...base, kind: 'toolCall', ...callOf(own, cols) };
    case 'result':
      return { ...base, kind: 'toolResult', text: texts.map(bodyOf).join('\n') };
    case 'exit':
      return {
        ...base,
        kind: 'exit',
        text: plain(
          joinWrapped(own).map(({ text }) => text.trimEnd()),
          cols,
        ),
      };
    default:
      return isUnfinished(texts) ? null : { ...base, kind: piece.kind, text: plain(texts, cols) };
  }
}

function isCut({ kind }: Piece, first: string): boolean {
  if (kind === 'model') return !/^[•◦]/.test(first);
  return kind === 'user' && !/^[›▌]/.test(first);
}

function trimmed(rows: readonly FrameRow[]): FrameRow[] {
  let to = rows.length;
  while (to > 0 && rows[to - 1]?.text.trim() === '') to -= 1;
  return rows.slice(0, to);
}

function callOf(rows: readonly FrameRow[], cols: number): { text: string; tool: ChatTool } {
  const [first = '', ...more] = rows.map((row) => row.text.trimEnd());
  const { shape, input } = toolOf(first) ?? { shape: { name: first }, input: '' };
  const lines = [input, ...more.map(bodyOf)].filter((line) => line !== '');
  const all = unwrapped(lines, cols - BODY);
  const status = bulletStatus(rows[0]?.spans[0]?.fg) ?? ('status' in shape ? shape.status : undefined);
  const tool: ChatTool = { name: shape.name, ...(all === '' ? {} : { input: all }), ...(status ? { status } : {}) };
  return { text: all === '' ? shape.name : `${shape.name} ${all}`, tool };
}

/** A row below a call, without its branch and without the hint that names the key to expand it. */
function bodyOf(text: string): string {
  return text
    .replace(/^ {2}[└⎿│] ?| {4}/, '')
    .replace(/ \(ctrl \+ t to view transcript\)$/, '')
    .trimEnd();
}

/** A greeting before the folder is known. */
function isUnfinished(texts: readonly string[]): boolean {
  return (
    texts.some((text) => WELCOME.test(text)) && texts.some((text) => /^[│ ]+(?:\w+: +)?loading(?:[ │]|$)/.test(text))
  );
}

function plain(texts: readonly string[], cols: number): string {
  const lines = texts
    .map((line) => line.replace(/^[│╭╰]\s?|[│╮╯]\s*$/g, '').replace(/─{3,}/g, ''))
    .map((line) => line.replace(/^[■⚠•✔✗]\s+/, '').trim())
    .filter((line) => line !== '');
  return unwrapped(lines, cols);
}

function judgeLast(messages: ExtractedMessage[], verdict: string): void {
  const at = messages.findLastIndex(({ kind }) => kind === 'toolCall');
  const call = messages[at];
  if (!call?.tool || call.tool.status) return;
  const status = VERDICT.exec(verdict)?.[1] === '✗' ? 'failed' : 'done';
  messages[at] = { ...call, tool: { ...call.tool, status } };
}

/** A decision above a call, or an interruption below it, says more than that the call failed. */
function withDecision(message: ExtractedMessage, all: readonly ExtractedMessage[], at: number): ExtractedMessage {
  const { tool } = message;
  if (!tool || (tool.status !== 'failed' && tool.status !== 'running')) return message;
  const before = all[at - 1];
  const after = all.slice(at + 1).find(({ kind }) => kind !== 'toolResult');
  if (before?.kind === 'notice' && /^You canceled the request/.test(before.text))
    return { ...message, tool: { ...tool, status: 'denied' } };
  if (after?.kind === 'notice' && /^Conversation interrupted/.test(after.text))
    return { ...message, tool: { ...tool, status: 'interrupted' } };
  return message;
}
