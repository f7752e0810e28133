import type { ChatKind, ChatTool } from '../../../../../contract/chat/chat.ts';
import type { ChatSnapshot, ExtractedMessage } from '../../../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { restoreMarkdown } from '../../../markdown/restoreMarkdown.ts';
import { cutRow, joinWrapped } from '../../../markdown/spans.ts';
import { unwrapped } from '../../../markdown/unwrap.ts';
import { withNumbers } from './listNumbers.ts';
import { bulletStatus, LOOKS } from './looks.ts';
import { withQuoteBar } from './olderRows.ts';
import type { Piece } from './pieces.ts';
import { EXPAND_HINT, FOLDED_FAILED, FOLDED_SERVER } from './rules.ts';

/** Columns of the glyph and space before a prompt or answer. */
const GUTTER = 2;
/** Columns of the branch and space before a call's result. */
const BODY = 5;
const READ_FROM_LOOKS = 0.9;
const HEAD_CUT = 0.6;

/** The message of a piece; null if the piece has no message. */
export function messageOf({ rows, cols }: ChatSnapshot, piece: Piece): ExtractedMessage | null {
  if (piece.kind === 'none') return null;
  const own = trimmed(rows.slice(piece.from, piece.to));
  const isHeadCut = isCut(piece, own[0]?.text ?? '');
  const base = {
    fromRow: piece.from,
    toRow: piece.from + own.length,
    isHeadCut,
    isOpen: false,
    confidence: isHeadCut ? HEAD_CUT : READ_FROM_LOOKS,
  };
  const texts = own.map((row) => row.text);
  switch (piece.kind) {
    case 'model': {
      const rows = own.map(withoutGutter).map(withQuoteBar);
      const text = restoreMarkdown(withNumbers(rows), cols - GUTTER, LOOKS);
      return text === '' ? null : { ...base, kind: 'model', text };
    }
    case 'user':
    case 'command': {
      const text = typed(texts, cols);
      return text === '' ? null : { ...base, kind: piece.kind, text };
    }
    case 'call':
      return { ...base, kind: 'toolCall', ...callOf(texts, statusOf(own[0]), cols) };
    case 'result':
      return { ...base, kind: 'toolResult', text: resultOf(texts) };
    case 'exit':
      return { ...base, kind: 'exit', text: plain(joinWrapped(own).map((row) => row.text)) };
    default:
      return { ...base, kind: piece.kind satisfies ChatKind, text: plain(texts) };
  }
}

function isCut({ kind }: Piece, first: string): boolean {
  if (kind === 'model') return !/^[●⏺]/.test(first);
  return kind === 'user' && !/^[❯>]/.test(first);
}

function trimmed(rows: readonly FrameRow[]): FrameRow[] {
  let to = rows.length;
  while (to > 0 && rows[to - 1]?.text.trim() === '') to -= 1;
  return rows.slice(0, to);
}

function withoutGutter(row: FrameRow): FrameRow {
  return cutRow(row, Math.min(GUTTER, row.text.length));
}

/** The typed text; joins lines that were too long. */
function typed(texts: readonly string[], cols: number): string {
  const lines = texts.map((text, at) => (at === 0 && text.startsWith('!') ? text : text.slice(GUTTER)));
  return unwrapped(lines, cols - GUTTER);
}

/** Read from the colour of the bullet, or from the words of a folded call. */
function statusOf(row: FrameRow | undefined): ChatTool['status'] {
  if (!row) return undefined;
  if (/^ {2}Did not run/.test(row.text)) return 'denied';
  const [, calls, failed] = FOLDED_FAILED.exec(row.text) ?? [];
  if (failed !== undefined) return failed === calls ? 'failed' : undefined;
  return bulletStatus(row.spans[0]?.fg);
}

function callOf(texts: readonly string[], status: ChatTool['status'], cols: number): { text: string; tool: ChatTool } {
  const told = status === undefined ? {} : { status };
  const below = texts.findIndex((line) => /^ {2}[⎿└]/.test(line));
  const input = below < 0 ? '' : inputOf(texts.slice(below), cols);
  const text = texts
    .slice(0, below < 0 ? texts.length : below)
    .map((line) => line.replace(EXPAND_HINT, '').trim())
    .join(' ')
    .replace(/^[●⏺] /, '')
    .trim();
  const server = FOLDED_SERVER.exec(text)?.[1];
  // one text while it runs, so that it stays one message; a name never contains a count
  if (server !== undefined) return { text: `Call ${server}`, tool: { name: `Call ${server}`, ...told } };
  const isCommand = below >= 0 && /^ {2}[⎿└]\s+\$ /.test(texts[below] ?? '');
  const call = /^([A-Z][\w:-]+|[\w-]+ - [\w-]+ \(MCP\))\((.*)\)?$/s.exec(text);
  if (!call?.[1] && input !== '') {
    const name = text.endsWith(` ${input}`) ? text.slice(0, -input.length - 1) : text;
    return { text: `${name} ${input}`, tool: { name: isCommand ? 'Bash' : toolOfWords(name), input, ...told } };
  }
  if (!call?.[1]) return { text, tool: { name: toolOfWords(text), ...told } };
  return { text, tool: { name: call[1], input: (call[2] ?? '').replace(/\)$/, ''), ...told } };
}

/** Words that describe a call in the fullscreen mode, and the tool's name in the classic mode. */
const TOOL_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^(?:Running|Ran) (?:a|\d+) (?:shell )?commands?$/, 'Bash'],
  [/^(?:Reading(?: \d+ files?)?|Read \d+ files?)$/, 'Read'],
  [/^(?:Searching for \d+ patterns?|Searched for \d+ patterns?)$/, 'Search'],
];

function toolOfWords(words: string): string {
  return TOOL_WORDS.find(([match]) => match.test(words.replace(/…$/, '')))?.[1] ?? words;
}

/** The input of a call in words, from the rows below it. */
function inputOf(texts: readonly string[], cols: number): string {
  return unwrapped(resultOf(texts).split('\n'), cols - BODY).replace(/^\$ /, '');
}

function resultOf(texts: readonly string[]): string {
  return texts
    .map((line) =>
      line
        .replace(/^ {2}[⎿└]\s{1,2}/, '')
        .replace(/^ {5}/, '')
        .replace(EXPAND_HINT, '')
        .trimEnd(),
    )
    .join('\n');
}

/** The text without logo, box and bar. */
function plain(texts: readonly string[]): string {
  return texts
    .map((line) =>
      line
        .replace(/^\s*[\u2580-\u259f][\u2580-\u259f ]*/, '')
        .replace(/^[▎│╭╰]\s?|[│╮╯]\s*$/g, '')
        .replace(/^[✻●⏺] /, '')
        .replace(/─{3,}/g, '')
        .replace(EXPAND_HINT, '')
        .trim(),
    )
    .filter((line) => line !== '')
    .join('\n');
}
