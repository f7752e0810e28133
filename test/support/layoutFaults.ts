import type { Page } from 'playwright-core';

/**
 * Lists what breaks the laws of any layout: a page that scrolls, text beyond the window's edge or cut off without an ellipsis,
 * and text that other text or another element lies over. With a dialog open, only the dialog is looked at.
 */
export function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>();
    /** Drawn by xterm.js in its own grid, or for screen readers only. */
    const SKIPPED = '.xterm-helpers, .xterm-accessibility, .unseen, [inert], option, style, script';
    /** The z-index from which menus, dialogs and tips on are drawn: over all others. */
    const OVER_ALL = 20;
    const name = (element: Element | null) =>
      `${element?.tagName.toLowerCase()}.${[...(element?.classList ?? [])].filter((one) => !one.startsWith('svelte-')).join('.')}`;

    const { scrollWidth, scrollHeight } = document.documentElement;
    if (scrollWidth > innerWidth) found.add(`the page is ${scrollWidth} px wide`);
    if (scrollHeight > innerHeight) found.add(`the page is ${scrollHeight} px high`);

    /** The part with a z-index around `element`, which is meant to be over what has none, and how far up it is. */
    function layerOf(element: Element): { float: Element | null; rank: number } {
      let layer: { float: Element | null; rank: number } = { float: null, rank: 0 };
      for (let up: Element | null = element; up; up = up.parentElement) {
        const { zIndex, position } = getComputedStyle(up);
        if (Number(zIndex) > 0)
          layer = { float: up, rank: Number(zIndex) >= OVER_ALL ? 3 : position === 'sticky' ? 1 : 2 };
      }
      return layer;
    }
    /** One of the two may be over the other: heads that stick over their cards, bars over both, and menus over anything. */
    function mayCover(one: Element, other: Element): boolean {
      const [a, b] = [layerOf(one), layerOf(other)];
      return a.float !== b.float && (a.rank !== b.rank || a.rank === 3);
    }

    type Box = { left: number; top: number; right: number; bottom: number };
    const meet = (a: Box, b: Box): Box => ({
      left: Math.max(a.left, b.left),
      top: Math.max(a.top, b.top),
      right: Math.min(a.right, b.right),
      bottom: Math.min(a.bottom, b.bottom),
    });
    /** It draws nothing of its own. */
    function isEmptyBox(element: Element): boolean {
      const { opacity, backgroundColor, backgroundImage } = getComputedStyle(element);
      return opacity === '0' || (/, 0\)$|transparent/.test(backgroundColor) && backgroundImage === 'none');
    }
    const isEmpty = ({ left, top, right, bottom }: Box) => right - left < 1 || bottom - top < 1;

    /** What is seen of `box`, and the ancestor that cuts it off sideways although it neither scrolls nor has an ellipsis. */
    function seen(box: Box, from: Element): { box: Box; cutBy: Element | null } {
      let rest = box;
      let cutBy: Element | null = null;
      let hasEllipsis = false;
      for (let up: Element | null = from; up; up = up.parentElement) {
        const style = getComputedStyle(up);
        if (style.clipPath !== 'none') return { box: { ...box, right: box.left }, cutBy: null };
        hasEllipsis ||=
          style.textOverflow === 'ellipsis' || style.maskImage !== 'none' || style.webkitLineClamp !== 'none';
        if (style.overflowX !== 'visible') {
          const clip = up.getBoundingClientRect();
          if (clip.width <= 1) return { box: { ...box, right: box.left }, cutBy: null }; // for screen readers only
          const isCut = rest.right > clip.right + 1 || rest.left < clip.left - 1;
          if (isCut && !hasEllipsis && /hidden|clip/.test(style.overflowX)) cutBy ??= up;
          if (isCut && /auto|scroll/.test(style.overflowX)) hasEllipsis = true; // it is scrolled to
          rest = meet(rest, clip);
          if (isEmpty(rest)) return { box: rest, cutBy: null };
        }
        if (style.position === 'fixed') break;
      }
      return { box: rest, cutBy };
    }

    const dialogs = [...document.querySelectorAll('[role=dialog]')];
    const root = dialogs.at(-1) ?? document.body;
    const texts: { box: Box; parent: Element; text: string }[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent?.trim().slice(0, 30) ?? '';
      if (!parent || text === '' || parent.closest(SKIPPED)) continue;
      if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) {
        // The box of a glyph is higher than its line, so only its middle counts.
        const inset = line.height / 4;
        const middle = { left: line.left, right: line.right, top: line.top + inset, bottom: line.bottom - inset };
        const { box, cutBy } = seen(middle, parent);
        if (cutBy && !parent.closest('[aria-hidden=true]'))
          found.add(`cut off by ${name(cutBy)}: ${name(parent)} "${text}"`);
        if (isEmpty(box)) continue;
        if (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
          found.add(`outside: ${name(parent)} "${text}" ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`);
        texts.push({ box, parent, text });
      }
    }
    if (texts.length === 0) found.add('no text');

    for (const [at, one] of texts.entries()) {
      for (const other of texts.slice(at + 1)) {
        if (one.parent === other.parent) continue;
        const both = meet(one.box, other.box);
        if (both.right - both.left > 2 && both.bottom - both.top > 2 && !mayCover(one.parent, other.parent))
          found.add(`"${one.text}" (${name(one.parent)}) lies over "${other.text}" (${name(other.parent)})`);
      }
      const { left, top, right, bottom } = one.box;
      for (const part of [0.1, 0.5, 0.9]) {
        const over = document.elementFromPoint(left + (right - left) * part, (top + bottom) / 2);
        if (!over || over.contains(one.parent) || one.parent.contains(over) || isEmptyBox(over)) continue;
        if (!mayCover(over, one.parent)) found.add(`${name(over)} covers "${one.text}" (${name(one.parent)})`);
      }
    }
    return [...found];
  });
}
