import { tick, untrack } from 'svelte';
import { nextFrame } from '../../terminal/nextFrame.ts';
import { FastScroll } from './FastScroll.svelte.ts';
import { FlowHeights, type FlowKeys } from './flowHeights.ts';
import { type FlowItem, type FlowSlot, slotsOf } from './flowSlots.ts';

/** Drawn beyond the viewport at either end, so that a flick of the wheel does not outrun the drawing. */
const OVERSCAN_PX = 700;
/** This near to the end counts as at the end: half a row, more than any rounding. */
const END_PX = 8;
/** A revealed card is measured when it is drawn, which moves it; twice is enough, the third look is for the measured neighbours. */
const REVEAL_LOOKS = 3;
/** How a reader scrolls: wheel, keys, the bar, a finger. */
const HANDS = ['wheel', 'keydown', 'pointerdown', 'touchmove'];

/**
 * A scrolled column of which only the visible part is drawn, in normal flow, so that text can be selected across it and the browser's
 * own scroll anchoring holds what is being read. Follows its end while the reader is there.
 */
export class VirtualList<T extends FlowItem> {
  readonly #items: () => readonly T[];
  readonly #estimate: (item: T) => number;
  readonly #kept: () => string | null;
  readonly #above: () => string | null;
  readonly #measured = new Map<string, number>();
  readonly #observer: ResizeObserver;
  readonly #drawn = new Set<HTMLElement>();
  #scroller: HTMLElement | undefined;
  #lastTop = 0;
  #redraw = 0;
  /** The last scrolling was by hand. */
  #isReader = false;
  /** Scrolled by hand, too fast to read. */
  readonly flight = new FastScroll();
  /** Grows with each change of a height. */
  version = $state(0);

  scrollTop = $state(0);
  viewPx = $state(600);
  /** The reader is at the end, and new output keeps them there. */
  isPinned = $state(true);
  /** The end is in view, whether it is to be kept there or not. */
  isAtEnd = $state(true);

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
    const kept = this.#index.get(this.#kept() ?? '') ?? -1;
    return slotsOf(this.#items(), this.#heights, { first: this.#first, last: this.#last, kept });
  });

  /** What lies above the view of a reader at the end, at least. */
  readonly abovePx = $derived.by(() => {
    void this.version;
    const at = this.#index.get(this.#above() ?? '');
    return at === undefined ? 0 : this.#heights.offset(at + 1);
  });

  /** Key of the item whose head has left the viewport at the top while its body has not. */
  readonly stuckKey = $derived.by(() => {
    void this.version;
    const at = this.#heights.indexAt(this.scrollTop);
    return this.scrollTop > this.#heights.offset(at) + 1 ? (this.#items()[at]?.key ?? null) : null;
  });
  /** The reader is within two views of the oldest item. */
  readonly isNearStart = $derived(this.scrollTop < 2 * this.viewPx);

  constructor(items: () => readonly T[], estimate: (item: T) => number, keys: FlowKeys) {
    this.#items = items;
    this.#estimate = estimate;
    this.#kept = keys.kept;
    this.#above = keys.above;
    this.#observer = new ResizeObserver((entries) => this.#measure(entries));
  }

  get scroller(): HTMLElement | undefined {
    return this.#scroller;
  }

  /** Attachment for the scrolling element. */
  readonly attach = (scroller: HTMLElement) => {
    this.#scroller = scroller;
    const onScroll = () => this.#scrolled();
    const onReader = () => {
      this.#isReader = true;
    };
    scroller.addEventListener('scroll', onScroll, { passive: true });
    for (const hand of HANDS) scroller.addEventListener(hand, onReader, { passive: true, capture: true });
    this.#observer.observe(scroller);
    return () => {
      scroller.removeEventListener('scroll', onScroll);
      for (const hand of HANDS) scroller.removeEventListener(hand, onReader, { capture: true });
      this.#observer.disconnect();
      this.flight.land();
      this.#scroller = undefined;
    };
  };

  /** Attachment for each drawn item, and for anything else in the column whose height matters (no key). */
  readonly observe = (element: HTMLElement) => {
    this.#observer.observe(element);
    this.#drawn.add(element);
    return () => {
      this.#observer.unobserve(element);
      this.#drawn.delete(element);
    };
  };

  toEnd(): void {
    this.isPinned = true;
    this.#isReader = false;
    this.flight.land();
    this.keepEnd();
  }

  /** Call after the column changed: a reader at the end stays there. */
  keepEnd(): void {
    if (!this.isPinned || !this.#scroller) return;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  /** Scrolls by a view, of which `keptPx` stay in sight, as a reader does. */
  page(by: 1 | -1, keptPx: number): void {
    this.#isReader = true;
    this.#scroller?.scrollBy({ top: by * Math.max(keptPx, this.viewPx - keptPx), behavior: 'instant' });
  }

  /** Something in the middle is about to be shown or to change its height. */
  unpin(): void {
    this.isPinned = false;
    this.#isReader = false;
    this.flight.land();
  }

  /** Brings the item into view; gives its element once it is drawn. Undefined when there is no such item. */
  async reveal(key: string): Promise<HTMLElement | undefined> {
    this.unpin();
    let element: HTMLElement | undefined;
    for (let look = 0; look < REVEAL_LOOKS; look += 1) {
      const at = this.#index.get(key);
      if (at === undefined || !this.#scroller) return undefined;
      element = this.elementOf(key);
      if (element) this.#bringIn(element);
      else this.#scroller.scrollTop = this.#heights.offset(at) - this.viewPx / 3;
      this.#scrolled();
      await nextFrame();
    }
    return element;
  }

  /**
   * Changes the height of an item without moving its head: what was clicked stays under the pointer. An item that shrinks while its head
   * is out of sight comes back with its head at the top.
   */
  async steady(key: string, change: () => void): Promise<void> {
    this.unpin();
    const before = this.elementOf(key)?.getBoundingClientRect();
    change();
    await tick();
    for (let look = 0; look < REVEAL_LOOKS; look += 1) {
      const after = this.elementOf(key)?.getBoundingClientRect();
      if (!before || !after || !this.#scroller) return;
      const viewTop = this.#scroller.getBoundingClientRect().top;
      const wanted = after.height < before.height ? Math.max(before.top, viewTop) : before.top;
      if (Math.abs(after.top - wanted) > 0.5) this.#scroller.scrollTop += after.top - wanted;
      await nextFrame();
    }
  }

  /**
   * Call when items were put before others and the column is not drawn yet: what stands at the top of the view is what is drawn there
   * again. Call what it gives once the column is drawn.
   */
  anchor(): (() => void) | undefined {
    return untrack(() => this.#anchor()); // heights change for other reasons too: who asks waits for items
  }

  #anchor(): (() => void) | undefined {
    const scroller = this.#scroller;
    if (!scroller || this.isPinned) return undefined;
    const top = scroller.getBoundingClientRect().top;
    const seen = [...scroller.querySelectorAll<HTMLElement>('[data-flow]')].find(
      (element) => element.getBoundingClientRect().bottom > top,
    );
    const at = this.#index.get(seen?.dataset.flow ?? '');
    if (!seen || at === undefined) return undefined;
    const fromTopPx = seen.getBoundingClientRect().top - top;
    this.scrollTop = this.#heights.offset(at) - fromTopPx;
    return () => {
      const now = seen.getBoundingClientRect().top - top;
      if (seen.isConnected && Math.abs(now - fromTopPx) > 0.5) scroller.scrollTop += now - fromTopPx;
      this.#scrolled();
    };
  }

  /** A card taller than the view that is in it stays where it is: its nearest edge may be a million lines away. */
  #bringIn(element: HTMLElement): void {
    const view = this.#scroller?.getBoundingClientRect();
    const { top, bottom, height } = element.getBoundingClientRect();
    const third = (view?.height ?? 0) / 3;
    const isTall = view && height > view.height && top < view.bottom - third && bottom > view.top + third;
    if (!isTall) element.scrollIntoView({ block: 'nearest' });
  }

  elementOf(key: string): HTMLElement | undefined {
    return this.#scroller?.querySelector<HTMLElement>(`[data-flow="${CSS.escape(key)}"]`) ?? undefined;
  }

  /**
   * What is drawn is measured first: an item that has just grown, and that the reader was brought to the end of, would else be taken for
   * one that lies before the view, and be gone before its height is known.
   */
  #scrolled(): void {
    let isChanged = this.#redraw !== 0;
    for (const element of this.#drawn)
      isChanged = this.#took(element, element.getBoundingClientRect().height) || isChanged;
    this.#look();
    this.scrollTop = this.#lastTop;
    if (!isChanged) return;
    cancelAnimationFrame(this.#redraw);
    this.#redraw = 0;
    this.version += 1;
  }

  /** Whether the height of the item that the element shows was not known. */
  #took(element: HTMLElement, px: number): boolean {
    const key = element.dataset.flow;
    if (key === undefined || px === 0) return false;
    this.#measured.set(key, px);
    const at = this.#index.get(key);
    return at !== undefined && this.#heights.set(at, px) !== 0;
  }

  /** Where the reader is now, and whether that is the end. */
  #look(): void {
    const scroller = this.#scroller;
    if (!scroller) return;
    const { scrollTop } = scroller;
    const fromEnd = scroller.scrollHeight - scroller.clientHeight - scrollTop;
    this.isAtEnd = fromEnd <= END_PX;
    // What the browser does when a height changes is nobody's wish to stay at the end or to leave it.
    if (this.#isReader && this.isAtEnd) this.isPinned = true;
    else if (this.#isReader && scrollTop < this.#lastTop - 1) this.isPinned = false;
    if (this.#isReader && !this.isPinned) this.flight.step(scrollTop - this.#lastTop, scroller.clientHeight);
    this.#lastTop = scrollTop;
  }

  /**
   * What was drawn has its heights by now: within a picture that would draw, and measure, once more. The next one has both, and the place
   * that the browser has meanwhile brought the reader to: it tells of no scrolling when a column has become too short for where they were.
   */
  #measure(entries: readonly ResizeObserverEntry[]): void {
    let isChanged = false;
    for (const { target, borderBoxSize } of entries) {
      if (target === this.#scroller) this.viewPx = target.clientHeight;
      isChanged = this.#took(target as HTMLElement, borderBoxSize[0]?.blockSize ?? 0) || isChanged;
    }
    this.keepEnd();
    this.#look();
    if (this.isPinned) this.scrollTop = this.#lastTop; // the end is drawn in the picture that first shows it
    const isOff = isChanged || this.#lastTop !== this.scrollTop;
    if (isOff && this.#redraw === 0) this.#redraw = requestAnimationFrame(() => this.#scrolled());
  }
}
