import type { ChatSnapshot, ExtractedMessage } from '../../../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { cutRow, joinWrapped } from '../../../markdown/spans.ts';
import { unwrapped } from '../../../markdown/unwrap.ts';
import { answerMarkdown, type Drawn } from './markdown.ts';
import { inner, type Piece, rowsOf } from './pieces.ts';
import { PLACEHOLDER, WAITING } from './rules.ts';
import { bareTool, boxedTools, denseTool, type ShownTool } from './tools.ts';

/** Columns of the glyph and space before an answer; a prompt has the bar's edge too. */
const GUTTER = 2;
const TYPED_GUTTER = 3;
const READ_FROM_LOOKS = 0.9;
const HEAD_CUT = 0.6;
const DIALOG_CONFIDENCE = 0.9;

/** The messages of a piece; a box of tools has several. */
export function messagesOf({ rows, cols }: ChatSnapshot, piece: Piece, drawn: Drawn): ExtractedMessage[] {
  const own = trimmed(rowsOf(rows, piece));
  const texts = own.map((row) => row.text.trimEnd());
  const isHeadCut = isCut(piece, texts[0] ?? '');
  const base = {
    fromRow: piece.from,
    toRow: piece.without ? piece.to : piece.from + own.length,
    isHeadCut,
    isOpen: false,
    confidence: isHeadCut ? HEAD_CUT : READ_FROM_LOOKS,
  };
  switch (piece.kind) {
    case 'none':
      return [];
    case 'model':
      return withText({ ...base, kind: 'model', text: answer(own, cols, drawn) });
    case 'user': {
      const text = typed(own, cols);
      if (PLACEHOLDER.test(text)) return [];
      return withText({ ...base, kind: /^(?:\/[a-z?]|[$!] )/.test(text) ? 'command' : 'user', text });
    }
    case 'tools':
      return boxedTools(own, cols).flatMap((shown) => toolMessages(shown, base));
    case 'dense':
      return toolMessages(denseTool(own, cols), base);
    case 'bare':
      return toolMessages(bareTool(own, cols), base);
    case 'welcome':
      return withText({ ...base, kind: 'welcome', text: welcome(texts) });
    default:
      return withText({ ...base, kind: piece.kind, text: plain(texts, cols) });
  }
}

function isCut({ kind, hasNoGlyph }: Piece, first: string): boolean {
  if (kind === 'model') return !hasNoGlyph && !/^ {0,2}✦/.test(first);
  return kind === 'user' && /^ {3}/.test(first);
}

/** The dialog in the rows from `from`, as text: the tool, its action, the question and the options. */
export function permissionOf({ rows, cols }: ChatSnapshot, from: number): ExtractedMessage {
  const end = rows.findLastIndex((row) => /^ ?╰─/.test(row.text));
  const own = rows.slice(from, end < from ? rows.length : end);
  const shown = boxedTools(own, cols)[0];
  const lines = own
    .map((row) => inner(inner(row.text)).trim())
    .filter((text) => text !== '' && !/^[╭╰─]/.test(text) && !/^Enter to /.test(text) && !WAITING.test(text))
    .map((text) => text.replace(/^(?:[●›]\s*|\?\s+)(?=\S)/, '').replace(/\s+\d+ of \d+$|\s+←$/, ''));
  return {
    kind: 'permission',
    text: lines.join('\n'),
    ...(shown ? { tool: shown.tool } : {}),
    fromRow: from,
    toRow: rows.length,
    isHeadCut: false,
    isOpen: true,
    confidence: DIALOG_CONFIDENCE,
  };
}

function withText(message: ExtractedMessage): ExtractedMessage[] {
  return message.text === '' ? [] : [message];
}

function toolMessages(
  { tool, result, from, body, to }: ShownTool,
  base: Omit<ExtractedMessage, 'kind' | 'text'>,
): ExtractedMessage[] {
  const rows = (first: number, last: number) => ({ fromRow: base.fromRow + first, toRow: base.fromRow + last });
  const text = tool.input === undefined ? tool.name : `${tool.name} ${tool.input}`;
  const call: ExtractedMessage = { ...base, ...rows(from, body), kind: 'toolCall', text, tool };
  return [call, ...withText({ ...base, ...rows(body, to), kind: 'toolResult', text: result })];
}

function trimmed(rows: readonly FrameRow[]): FrameRow[] {
  let to = rows.length;
  while (to > 0 && rows[to - 1]?.text.trim() === '') to -= 1;
  return rows.slice(0, to);
}

function answer(rows: readonly FrameRow[], cols: number, drawn: Drawn): string {
  const glyph = /^ {0,2}✦ /.exec(rows[0]?.text ?? '')?.[0].length ?? GUTTER;
  const own = joinWrapped(rows).map((row) => cutRow(row, Math.min(glyph, row.text.length)));
  return answerMarkdown(own, cols - glyph, drawn);
}

function typed(rows: readonly FrameRow[], cols: number): string {
  const texts = joinWrapped(rows).map((row) => row.text.trimEnd());
  const lines = texts
    .filter((text) => !/^ ?[▄▀╭╰]/.test(text))
    .map((text) => text.replace(/^│ ?(.*?)\s*│\s*$/, '$1').trimEnd());
  const own = lines.map((line, at) =>
    at === 0 ? line.replace(/^ {0,2}(?:> |(?=[$!] ))/, '') : line.slice(/^ {3}/.test(line) ? TYPED_GUTTER : GUTTER),
  );
  return unwrapped(own, cols - TYPED_GUTTER - 1);
}

/** Version and account, without the logo and the tips. */
function welcome(texts: readonly string[]): string {
  const lines = texts.map((text) => text.replace(/^[\s▝▗▘▖▐▌█▜▛▙▟░▀▄]+/, '').trim()).filter((line) => line !== '');
  const tips = lines.findIndex((line) => /^Tips for getting started/.test(line));
  return (tips > 0 ? lines.slice(0, tips) : lines).join('\n');
}

function plain(texts: readonly string[], cols: number): string {
  const lines = texts
    .filter((text) => !/^ ?[╭╰]/.test(text))
    .map((text) => inner(text).trim())
    .map((text) => text.replace(/^(?:ℹ️?|✕|⚠|★|💡|✦)\s*/u, '').replace(/^─+$/, ''))
    .filter((text) => text !== '');
  return unwrapped(lines, cols - GUTTER);
}
