import { marked, type Token, type Tokens } from 'marked';
import { GAP_LINE } from '../../../src-main/contract/chat/gapLine.ts';

/** A block of a message: one of Markdown's own, or a gap in the lines. */
export type MarkdownBlock = Token | { type: 'gap'; raw: string };

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Parses the text of a message that may still grow. An unchanged block is the same object, so that its elements stay. The caller draws raw HTML as
 * text; nothing here becomes markup.
 */
export class MarkdownReader {
  #last: readonly MarkdownBlock[] = [];

  read(text: string): readonly MarkdownBlock[] {
    const blocks = splitAtGaps(text).flatMap((part): MarkdownBlock[] =>
      part === GAP_LINE ? [{ type: 'gap', raw: part }] : lex(part),
    );
    const before = this.#last;
    this.#last = blocks.map((block, at) => {
      const known = before[at];
      return known?.type === block.type && known.raw === block.raw ? known : block;
    });
    return this.#last;
  }
}

function lex(text: string): Token[] {
  return marked.lexer(text).filter(({ type }) => type !== 'space' && type !== 'def');
}

/** A gap within a fence stays in it, because the code around it belongs together. */
function splitAtGaps(text: string): string[] {
  if (!text.includes(GAP_LINE)) return [text];
  const parts: string[] = [];
  let open = '';
  let lines: string[] = [];
  const close = () => {
    if (lines.some((line) => line.trim() !== '')) parts.push(lines.join('\n'));
    lines = [];
  };
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1] ?? '';
    if (open === '' && line.trim() === GAP_LINE) {
      close();
      parts.push(GAP_LINE);
      continue;
    }
    if (mark !== '') open = open === '' ? mark : mark.startsWith(open) ? '' : open;
    lines.push(line);
  }
  close();
  return parts;
}

/** The text of a block as drawn, without Markdown's markup. */
export function plainOf(tokens: readonly MarkdownBlock[]): string {
  return tokens.map(plainBlock).join('\n');
}

function plainBlock(block: MarkdownBlock): string {
  const token = block as Tokens.Generic;
  switch (token.type) {
    case 'list':
      return (token as Tokens.List).items.map((item) => plainOf(item.tokens)).join('\n');
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows].flatMap((row) => row.map((cell) => plainInline(cell.tokens))).join('\n');
    }
    case 'blockquote':
      return plainOf(token.tokens ?? []);
    case 'code':
      return token.text;
    case 'gap':
      return token.raw;
    default:
      return token.tokens ? plainInline(token.tokens) : (token.text ?? token.raw);
  }
}

function plainInline(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      const { type, tokens: inner, text, raw } = token as Tokens.Generic;
      if (type === 'br') return '\n';
      if (type === 'html' || type === 'image') return raw;
      return inner && inner.length > 0 ? plainInline(inner) : (text ?? raw);
    })
    .join('');
}
