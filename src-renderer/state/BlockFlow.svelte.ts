import { tick } from 'svelte';
import { FlowHeights } from '../model/flowHeights.ts';

/** Drawn beyond the viewport at either end, so that a flick of the wheel does not outrun the drawing. */
const OVERSCAN_PX = 700;
/** This near to the end counts as at the end: half a row, more than any rounding. */
const END_PX = 8;
/** A revealed card is measured when it is drawn, which moves it; twice is enough, the third look is for the measured neighbours. */
const REVEAL_LOOKS = 3;

export interface FlowItem {
  key: string;
}

/** A stretch of the column: an item, or the height of the items that are not drawn. */
export type FlowSlot<T> =
  | { type: 'item'; key: string; item: T; at: number }
  | { type: 'space'; key: string; px: number };

/**
 * A scrolled column of which only the visible part is drawn, in normal flow, so that text can be selected across it and the browser's
 * own scroll anchoring holds what is being read. Follows its end while the reader is there.
 */
export class BlockFlow<T extends FlowItem> {
  readonly #items: () => readonly T[];
  readonly #estimate: (item: T) => number;
  /** Key of an item that stays drawn wherever the reader is, or null. */
  readonly #kept: () => string | null;
  readonly #measured = new Map<string, number>();
  readonly #observer: ResizeObserver;
  #scroller: HTMLElement | undefined;
  #lastTop = 0;
  /** Grows with each change of a height. */
  version = $state(0);

  scrollTop = $state(0);
  viewPx = $state(600);
  /** The reader is at the end, and new output keeps them there. */
  isPinned = $state(true);

  readonly #heights = $derived.by(() => {
    const items = this.#items();
    return new FlowHeights(items.length, (at) => {
      const item = items[at];
      return item ? (this.#measured.get(item.key) ?? this.#estimate(item)) : 0;
    });
  });
  readonly #index = $derived.by(() => new Map(this.#items().map((item, at) => [item.key, at])));
  readonly #range = $derived.by(() => {
    void this.version;
    return this.#heights.range(this.scrollTop - OVERSCAN_PX, this.scrollTop + this.viewPx + OVERSCAN_PX);
  });
  readonly #first = $derived(this.#range.first);
  readonly #last = $derived(this.#range.last);

  readonly slots = $derived.by((): FlowSlot<T>[] => {
    void this.version;
    const items = this.#items();
    const heights = this.#heights;
    const [first, last] = [this.#first, this.#last];
    const kept = this.#index.get(this.#kept() ?? '') ?? -1;
    const slots: FlowSlot<T>[] = [{ type: 'space', key: 'space-before', px: heights.offset(first) }];
    for (let at = first; at < last; at += 1) {
      const item = items[at];
      if (item) slots.push({ type: 'item', key: item.key, item, at });
    }
    const far = kept >= last ? items[kept] : undefined;
    if (far) {
      slots.push({ type: 'space', key: 'space-between', px: heights.offset(kept) - heights.offset(last) });
      slots.push({ type: 'item', key: far.key, item: far, at: kept });
    }
    slots.push({ type: 'space', key: 'space-after', px: heights.totalPx - heights.offset(far ? kept + 1 : last) });
    return slots;
  });

  /** Key of the item whose head has left the viewport at the top while its body has not. */
  readonly stuckKey = $derived.by(() => {
    void this.version;
    const at = this.#heights.indexAt(this.scrollTop);
    return this.scrollTop > this.#heights.offset(at) + 1 ? (this.#items()[at]?.key ?? null) : null;
  });
  /** The reader is within two views of the oldest item. */
  readonly isNearStart = $derived(this.scrollTop < 2 * this.viewPx);

  constructor(items: () => readonly T[], estimate: (item: T) => number, kept: () => string | null) {
    this.#items = items;
    this.#estimate = estimate;
    this.#kept = kept;
    this.#observer = new ResizeObserver((entries) => this.#measure(entries));
  }

  get scroller(): HTMLElement | undefined {
    return this.#scroller;
  }

  /** Attachment for the scrolling element. */
  readonly attach = (scroller: HTMLElement) => {
    this.#scroller = scroller;
    const onScroll = () => this.#scrolled();
    scroller.addEventListener('scroll', onScroll, { passive: true });
    this.#observer.observe(scroller);
    return () => {
      scroller.removeEventListener('scroll', onScroll);
      this.#observer.disconnect();
      this.#scroller = undefined;
    };
  };

  /** Attachment for each drawn item, and for anything else in the column whose height matters (no key). */
  readonly observe = (element: HTMLElement) => {
    this.#observer.observe(element);
    return () => this.#observer.unobserve(element);
  };

  toEnd(): void {
    this.isPinned = true;
    this.keepEnd();
  }

  /** Call after the column changed: a reader at the end stays there. */
  keepEnd(): void {
    if (!this.isPinned || !this.#scroller) return;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  unpin(): void {
    this.isPinned = false;
  }

  /** Brings the item into view; gives its element once it is drawn. Undefined when there is no such item. */
  async reveal(key: string): Promise<HTMLElement | undefined> {
    let element: HTMLElement | undefined;
    for (let look = 0; look < REVEAL_LOOKS; look += 1) {
      const at = this.#index.get(key);
      if (at === undefined || !this.#scroller) return undefined;
      element = this.#elementOf(key);
      if (element) element.scrollIntoView({ block: 'nearest' });
      else this.#scroller.scrollTop = this.#heights.offset(at) - this.viewPx / 3;
      this.#scrolled();
      await tick();
    }
    return element;
  }

  /** What stands at the top of the viewport and where, to find it again after items were put before it. */
  anchor(): (() => void) | undefined {
    const scroller = this.#scroller;
    if (!scroller || this.isPinned) return undefined;
    const top = scroller.getBoundingClientRect().top;
    const seen = [...scroller.querySelectorAll<HTMLElement>('[data-flow]')].find(
      (element) => element.getBoundingClientRect().bottom > top,
    );
    const key = seen?.dataset.flow;
    if (!seen || key === undefined) return undefined;
    const before = seen.getBoundingClientRect().top;
    return () => {
      const after = this.#elementOf(key)?.getBoundingClientRect().top;
      if (after !== undefined && Math.abs(after - before) > 0.5) scroller.scrollTop += after - before;
    };
  }

  #elementOf(key: string): HTMLElement | undefined {
    return this.#scroller?.querySelector<HTMLElement>(`[data-flow="${CSS.escape(key)}"]`) ?? undefined;
  }

  #scrolled(): void {
    const scroller = this.#scroller;
    if (!scroller) return;
    const { scrollTop } = scroller;
    const fromEnd = scroller.scrollHeight - scroller.clientHeight - scrollTop;
    if (fromEnd <= END_PX) this.isPinned = true;
    else if (scrollTop < this.#lastTop - 1) this.isPinned = false; // growth alone leaves scrollTop as it was
    this.#lastTop = scrollTop;
    this.scrollTop = scrollTop;
  }

  #measure(entries: readonly ResizeObserverEntry[]): void {
    let isChanged = false;
    for (const { target, borderBoxSize } of entries) {
      const px = borderBoxSize[0]?.blockSize ?? 0;
      if (target === this.#scroller) this.viewPx = target.clientHeight;
      const key = (target as HTMLElement).dataset.flow;
      if (key === undefined || px === 0) continue;
      this.#measured.set(key, px);
      const at = this.#index.get(key);
      if (at !== undefined && this.#heights.set(at, px) !== 0) isChanged = true;
    }
    if (isChanged) this.version += 1;
    this.keepEnd();
  }
}
