import type { Token, Tokens } from 'marked';
import type { Attachment } from 'svelte/attachments';
import { splitHidden } from '../../app/hiddenChars.ts';
import { judgeUrl } from '../../app/links.ts';
import { strings } from '../../app/strings.ts';
import { hiddenMark } from '../../cards/output/drawLine.ts';

/** Content of an element: each token's source text, with its nodes. */
const drawn = new WeakMap<HTMLElement, { raw: string; nodes: readonly Node[] }[]>();
const ELEMENTS: Readonly<Record<string, string>> = { strong: 'strong', em: 'em', del: 'del' };

/**
 * Puts inline Markdown into an element. Built by hand, because a message has hundreds of these pieces, too many for components during a fast scroll.
 * Text nodes only, never markup: an image and raw HTML appear as their source. Unchanged pieces keep their nodes, so that a selection survives while
 * text streams in after it.
 */
export function drawInline(tokens: readonly Token[]): Attachment<HTMLElement> {
  return (element) => {
    const before = drawn.get(element) ?? [];
    const changed = tokens.findIndex(({ raw }, at) => before[at]?.raw !== raw);
    const kept = changed < 0 ? tokens.length : changed;
    for (const { nodes } of before.slice(kept)) for (const node of nodes) node.parentNode?.removeChild(node);
    const fresh = tokens.slice(kept).map((token) => ({ raw: token.raw, nodes: nodesOf(token as Tokens.Generic) }));
    element.append(...fresh.flatMap(({ nodes }) => nodes));
    drawn.set(element, [...before.slice(0, kept), ...fresh]);
  };
}

function nodesOf(token: Tokens.Generic): Node[] {
  const { type, raw, text = '', tokens: inner = [] } = token;
  const tag = ELEMENTS[type];
  if (tag !== undefined) return [elementOf(tag, inner.flatMap(nodesOf))];
  if (type === 'codespan') return [elementOf('code', textNodes(text))];
  if (type === 'br') return [document.createElement('br')];
  if (type === 'link') return linkNodes(token as Tokens.Link);
  if (inner.length > 0) return inner.flatMap(nodesOf);
  return textNodes(type === 'html' || type === 'image' ? raw : text || raw);
}

/** A link as its text, and its target if the text does not show it. A link that may not be opened is text. */
function linkNodes({ href, text, tokens }: Tokens.Link): Node[] {
  const words = tokens.flatMap(nodesOf);
  const mayOpen = judgeUrl(href).verdict !== 'never';
  const link = mayOpen ? [anchorOf(href, words)] : words;
  const saysIt = mayOpen && [text, `mailto:${text}`, `http://${text}`].includes(href);
  if (saysIt) return link;
  const address = elementOf('span', textNodes(`(${href})`));
  address.className = 'address';
  address.dataset.unsaid = '';
  return [...link, document.createTextNode(' '), address];
}

function anchorOf(href: string, words: readonly Node[]): HTMLElement {
  const anchor = document.createElement('a');
  anchor.href = href;
  anchor.className = 'link';
  anchor.draggable = false;
  anchor.rel = 'noreferrer';
  anchor.title = strings.app.link.openWithModifier;
  anchor.append(...words);
  return anchor;
}

function elementOf(tag: string, children: readonly Node[]): HTMLElement {
  const element = document.createElement(tag);
  element.append(...children);
  return element;
}

/** Names invisible characters. */
function textNodes(text: string): Node[] {
  return splitHidden(text).map(({ text: part, hidden }) =>
    hidden === undefined ? document.createTextNode(part) : hiddenMark(hidden),
  );
}
