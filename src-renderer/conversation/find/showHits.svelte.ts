import { tick, untrack } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import type { ConversationView } from '../ConversationView.svelte.ts';
import { hitsIn } from './chatSearch.ts';

const BLOCKS = 'p, li, h4, h5, h6, pre, td, th, button, section, span.loose';
const NAMES = { all: 'chat-hit', now: 'chat-hit-now' };

/** Highlights the hits of the search in the drawn messages, by ranges instead of elements. Scrolls to the current hit. */
export function showHits(view: ConversationView): Attachment<HTMLElement> {
  return (scroller) => {
    const { find, flow } = view;
    $effect(() => {
      const { query, current } = find;
      if (query !== '') void [flow.slots, view.unfolded.size, view.whole.size];
      void tick().then(() => mark(scroller, query, current));
    });
    $effect(() => {
      const hit = find.current;
      if (!hit) return;
      void untrack(() => view.showHit(hit)).then(() => {
        const now = mark(scroller, find.query, hit);
        const place = now?.startContainer.parentElement;
        place?.scrollIntoView({ block: 'nearest' });
      });
    });
    return () => {
      for (const name of Object.values(NAMES)) CSS.highlights.delete(name);
    };
  };
}

/** Returns the range of the current hit, if it is drawn. */
function mark(
  scroller: HTMLElement,
  query: string,
  current: { key: string; nth: number } | undefined,
): Range | undefined {
  const all: Range[] = [];
  let now: Range | undefined;
  if (query !== '') {
    for (const item of scroller.querySelectorAll<HTMLElement>('li[data-flow]')) {
      const ranges = rangesIn(item, query);
      if (item.dataset.flow === current?.key) now = ranges[Math.min(current?.nth ?? 0, ranges.length - 1)];
      all.push(...ranges);
    }
  }
  CSS.highlights.set(NAMES.all, new Highlight(...all.filter((range) => range !== now)));
  CSS.highlights.set(NAMES.now, new Highlight(...(now ? [now] : [])));
  return now;
}

/** Skips our own text in a message (`data-unsaid`). A hit may span several text nodes, but never two blocks. */
function rangesIn(item: HTMLElement, query: string): Range[] {
  const nodes: { node: Text; from: number }[] = [];
  let text = '';
  let block: Element | null = null;
  const walker = document.createTreeWalker(item, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest('[data-unsaid]') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    const own = node.parentElement?.closest(BLOCKS) ?? null;
    if (own !== block) text += '\n';
    block = own;
    nodes.push({ node, from: text.length });
    text += node.data;
  }
  return hitsIn(text, query).map((at) => rangeOf(nodes, at, at + query.length));
}

function rangeOf(nodes: readonly { node: Text; from: number }[], start: number, end: number): Range {
  const range = new Range();
  const first = nodes.findLast(({ from }) => from <= start);
  const last = nodes.findLast(({ from }) => from < end);
  if (first) range.setStart(first.node, Math.min(start - first.from, first.node.length));
  if (last) range.setEnd(last.node, Math.min(end - last.from, last.node.length));
  return range;
}
