import type { Token, Tokens } from 'marked';
import { lexMarkdown } from '../exporters/lexMarkdown.ts';

/**
 * Whether both texts look the same as Markdown. White space, empty lines in lists and the languages of code make no difference, because a screen
 * does not show them.
 */
export function isSameForm(a: string, b: string): boolean {
  return a === b || formOf(a) === formOf(b);
}

/** Whether both texts have the same blocks of code, regardless of white space. */
export function isSameCode(a: string, b: string): boolean {
  return codeOf(a) === codeOf(b);
}

function codeOf(text: string): string {
  const blocks = lexMarkdown(text)?.filter(({ type }) => type === 'code') ?? [];
  return blocks.map((block) => squeezed(String((block as Tokens.Code).text))).join('\n');
}

function formOf(text: string): string {
  const tokens = lexMarkdown(text);
  return squeezed(tokens === null ? text : formsOf(tokens));
}

function formsOf(tokens: readonly Token[]): string {
  return tokens.map((token) => formOfToken(token as Tokens.Generic)).join('');
}

function formOfToken({ type, text, href, depth, ordered, checked, ...token }: Tokens.Generic): string {
  if (type === 'space' || type === 'br') return ' ';
  if (type === 'text' || type === 'escape') return token.tokens ? formsOf(token.tokens) : String(text);
  const parts = type === 'table' ? [token.header, ...token.rows].map((row) => formsOf(row)) : [];
  const inner = type === 'list_item' ? token.tokens?.map(withoutParagraph) : (token.tokens ?? token.items);
  const name = [type, depth, ordered, href, checked].filter((fact) => fact !== undefined).join(' ');
  const form = inner ? formsOf(inner) : parts.length > 0 ? parts.join('|') : String(text ?? '');
  return ` <${name}> ${form} </${type}> `;
}

/** An item's text is a paragraph if empty lines are between items, or behind its first line. */
function withoutParagraph(token: Token): Token {
  return token.type === 'paragraph' ? { ...token, type: 'text' } : token;
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
