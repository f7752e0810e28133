import type { Token, Tokens } from 'marked';
import { lexMarkdown, safeLink } from '../lexMarkdown.ts';
import { shownText } from '../shownText.ts';
import { drawCode } from './drawCode.ts';
import { escapeHtml } from './escapeHtml.ts';

/**
 * Draws Markdown as our HTML. Only words of `text` get into it, never a tag: HTML is shown as text, a picture as its words, and a link
 * whose address is neither of the web nor of mail as text.
 */
export function drawMarkdown(text: string): string {
  const shown = shownText(text);
  const tokens = lexMarkdown(shown);
  try {
    if (tokens !== null) return drawBlocks(tokens);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // stack overflow, as in the lexer
  }
  return plainText(shown);
}

/** Text unchanged, with its lines and spaces. */
export function plainText(text: string): string {
  return `<p class="plain">${escapeHtml(text)}</p>`;
}

function drawBlocks(tokens: readonly Token[]): string {
  return tokens.map((token) => drawBlock(token as Tokens.Generic)).join('\n');
}

function drawBlock(token: Tokens.Generic): string {
  switch (token.type) {
    case 'space':
      return '';
    case 'hr':
      return '<hr>';
    case 'heading':
      // Below the title and the speakers, which are h1 and h2.
      return wrap(`h${Math.min(6, Number(token.depth) + 2)}`, drawInline(token));
    case 'code':
      return codeBlock(String(token.text), String(token.lang ?? ''));
    case 'blockquote':
      return wrap('blockquote', drawBlocks(token.tokens ?? []));
    case 'list':
      return drawList(token as Tokens.List);
    case 'table':
      return drawTable(token as Tokens.Table);
    case 'paragraph':
      return wrap('p', drawInline(token));
    case 'text':
      return drawInline(token);
    default:
      return plainText(token.raw);
  }
}

export function codeBlock(code: string, language: string): string {
  return `<pre dir="ltr"><code>${drawCode(code, language)}</code></pre>`;
}

function wrap(tag: string, content: string): string {
  return `<${tag}>${content}</${tag}>`;
}

function drawList({ ordered, start, items, loose }: Tokens.List): string {
  const from = ordered && Number.isSafeInteger(start) && start !== 1 ? ` start="${start}"` : '';
  const drawn = items.map(({ tokens }) => {
    const content = tokens.map((token) => {
      if (token.type === 'text' && loose) return wrap('p', drawInline(token as Tokens.Generic));
      return token.type === 'checkbox' ? (token.checked ? '☑ ' : '☐ ') : drawBlock(token as Tokens.Generic);
    });
    return wrap('li', content.join(''));
  });
  const tag = ordered ? 'ol' : 'ul';
  return `<${tag}${from}>${drawn.join('\n')}</${tag}>`;
}

function drawTable({ header, rows }: Tokens.Table): string {
  const cell = (tag: string, { align, tokens }: Tokens.TableCell): string =>
    `<${tag}${align ? ` class="${align}"` : ''}>${drawInline({ tokens })}</${tag}>`;
  const row = (tag: string, cells: Tokens.TableCell[]): string =>
    wrap('tr', cells.map((one) => cell(tag, one)).join(''));
  const body = rows.map((cells) => row('td', cells)).join('\n');
  return `<div class="table"><table><thead>${row('th', header)}</thead>\n<tbody>${body}</tbody></table></div>`;
}

function drawInline(token: { tokens?: Token[] | undefined; text?: string }): string {
  if (!token.tokens) return escapeHtml(token.text ?? '');
  return token.tokens.map((part) => drawSpan(part as Tokens.Generic)).join('');
}

const SPANS: Readonly<Record<string, string>> = { strong: 'strong', em: 'em', del: 'del' };

function drawSpan(token: Tokens.Generic): string {
  const tag = SPANS[token.type];
  if (tag !== undefined) return wrap(tag, drawInline(token));
  switch (token.type) {
    case 'text':
      return drawInline(token);
    case 'escape':
      return escapeHtml(String(token.text));
    case 'codespan':
      return `<code dir="ltr">${escapeHtml(String(token.text))}</code>`;
    case 'br':
      return '<br>';
    case 'link':
      return drawLink(token as Tokens.Link);
    default:
      return escapeHtml(token.raw);
  }
}

function drawLink(token: Tokens.Link): string {
  const address = safeLink(token.href);
  if (address === null) return escapeHtml(token.raw);
  return `<a href="${escapeHtml(address)}" rel="noreferrer noopener nofollow">${drawInline(token)}</a>`;
}
