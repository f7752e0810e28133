import type { Token, Tokens } from 'marked';
import type { Attachment } from 'svelte/attachments';
import { splitHidden } from '../../app/hiddenChars.ts';
import { judgeUrl } from '../../app/links.ts';
import { strings } from '../../app/strings.ts';
import { hiddenMark } from '../../cards/output/drawLine.ts';

/** What stands in an element by now: each token's text as it was written, with the nodes that were made of it. */
const drawn = new WeakMap<HTMLElement, { raw: string; nodes: readonly Node[] }[]>();
const ELEMENTS: Readonly<Record<string, string>> = { strong: 'strong', em: 'em', del: 'del' };

/**
 * Puts Markdown within a line into an element. Made by hand: a message has hundreds of these pieces, too many to be components when
 * the list is flicked through. Text nodes only, never markup: an image and raw HTML are the text they are. Pieces that are as before stay
 * the nodes they were, so that a selection outlives what streams in behind it.
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

/** A link as its words, and where it leads when they do not say it. What may not be opened is text. */
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

/** Characters that nobody would see are named. */
function textNodes(text: string): Node[] {
  return splitHidden(text).map(({ text: part, hidden }) =>
    hidden === undefined ? document.createTextNode(part) : hiddenMark(hidden),
  );
}
