import { tick, untrack } from 'svelte';
import { isField } from '../../composer/takeTyping.ts';
import { nextFrame } from '../../terminal/nextFrame.ts';
import { FastScroll } from './FastScroll.svelte.ts';
import { FlowHeights, type FlowKeys } from './flowHeights.ts';
import { type FlowItem, type FlowSlot, slotsOf } from './flowSlots.ts';
import { HeldPlace } from './HeldPlace.ts';

/** Drawn beyond the viewport at either end, so that a flick of the wheel does not show undrawn space. */
const OVERSCAN_PX = 700;
/** A position this near to the end counts as the end: half a row, more than any rounding. */
const END_PX = 8;
/** A revealed card is measured once it is drawn, which moves it. Twice is enough; the third time is for its measured neighbours. */
const REVEAL_LOOKS = 3;
/** Events by which a reader scrolls: wheel, keys outside of a field, the bar, a finger. */
const HANDS = ['wheel', 'keydown', 'pointerdown', 'touchmove'];

/**
 * A scrolled column that draws only its visible part, in normal flow, so that text can be selected across items and the browser's own scroll
 * anchoring, or `HeldPlace`, holds the reader's position. Follows its end while the reader is there.
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
  /** The reader caused the last scroll, not the code. */
  #isReader = false;
  /** Fast scroll by the reader. */
  readonly flight = new FastScroll();
  readonly held = new HeldPlace();
  /** Grows with each change of a height. */
  version = $state(0);

  scrollTop = $state(0);
  viewPx = $state(600);
  /** The reader is at the end, and new output keeps them there. */
  isPinned = $state(true);
  /** The end is in view, pinned or not. */
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

  /** Least height above the view of a reader at the end. */
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
    const onHand = ({ type, target }: Event) => {
      if (type !== 'keydown' || !isField(target)) this.#takeHand();
    };
    const onScroll = () => {
      if (this.isPinned && this.held.isFall(scroller)) this.keepEnd();
      this.#scrolled();
    };
    scroller.addEventListener('scroll', onScroll, { passive: true });
    for (const hand of HANDS) scroller.addEventListener(hand, onHand, { passive: true, capture: true });
    this.#observer.observe(scroller);
    return () => {
      scroller.removeEventListener('scroll', onScroll);
      for (const hand of HANDS) scroller.removeEventListener(hand, onHand, { capture: true });
      this.#observer.disconnect();
      this.flight.land();
      this.#scroller = undefined;
    };
  };

  /** Attachment for each drawn item, and for other elements of the column whose height matters (without a key). */
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

  /** Call after the column changed: keeps a reader at the end there. */
  keepEnd(): void {
    if (!this.isPinned || !this.#scroller) return;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  /** Scrolls by a view like a reader, and keeps `keptPx` of it in sight. */
  page(by: 1 | -1, keptPx: number): void {
    this.#takeHand();
    this.#scroller?.scrollBy({ top: by * Math.max(keptPx, this.viewPx - keptPx), behavior: 'instant' });
  }

  /** The reader scrolls, or does what may scroll. */
  #takeHand(): void {
    this.#isReader = true;
    this.held.takeHand();
  }

  /** Call before an item in the middle is shown or changes its height. */
  unpin(): void {
    this.isPinned = false;
    this.#isReader = false;
    this.flight.land();
  }

  /** Scrolls the item into view and returns its element once it is drawn. Undefined if the item does not exist. */
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
   * Changes the height of an item without moving its head, so that the clicked element stays under the pointer. If the head is out of sight when the
   * item shrinks, the head moves to the top of the view.
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
   * Call after items were inserted above and before the column is drawn. Returns a function to call once it is drawn, which restores the item at the
   * top of the view.
   */
  anchor(): (() => void) | undefined {
    return untrack(() => this.#anchor()); // heights change for other reasons too, and the caller only depends on the items
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

  /** A visible card that is taller than the view does not move, because its nearest edge may be a million lines away. */
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
   * Measures the drawn items first. Otherwise an item that has just grown, with the reader at its end, would count as above the view and be removed
   * before its height is known.
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

  /** Keeps a focused card in sight. Call when a bar over the end of the list appears. */
  roomChanged(): void {
    const { top = 0 } = this.#scroller?.getBoundingClientRect() ?? {};
    const focused = [...this.#drawn].find((item) => item === document.activeElement);
    if (focused && !this.isPinned && focused.getBoundingClientRect().top < top + this.viewPx) this.#bringIn(focused);
    this.viewPx = this.#scroller?.clientHeight ?? this.viewPx;
  }

  /** Records the height of the element's item; true if it is new. */
  #took(element: HTMLElement, px: number): boolean {
    const key = element.dataset.flow;
    if (key === undefined || px === 0) return false;
    this.#measured.set(key, px);
    const at = this.#index.get(key);
    return at !== undefined && this.#heights.set(at, px) !== 0;
  }

  /** Reads the scroll position, and whether it is the end. */
  #look(): void {
    const scroller = this.#scroller;
    if (!scroller) return;
    if (!this.isPinned) this.held.restore(scroller);
    const { scrollTop } = scroller;
    const fromEnd = scroller.scrollHeight - scroller.clientHeight - scrollTop;
    this.isAtEnd = fromEnd <= END_PX;
    // Only a scroll by the reader pins or unpins the end. The browser also scrolls when a height changes.
    if (this.#isReader && this.isAtEnd) this.isPinned = true;
    else if (this.#isReader && scrollTop < this.#lastTop - 1) this.isPinned = false;
    if (this.#isReader && !this.isPinned) this.flight.step(scrollTop - this.#lastTop, scroller.clientHeight);
    this.#lastTop = scrollTop;
    this.held.note(scroller);
  }

  /**
   * Heights change after a frame was laid out, and drawing now would lay it out again. The next frame has the new heights and the browser's own
   * scroll position: the browser sends no scroll event when a column becomes too short for the position.
   */
  #measure(entries: readonly ResizeObserverEntry[]): void {
    let isChanged = false;
    for (const { target, borderBoxSize } of entries) {
      if (target === this.#scroller) this.roomChanged();
      isChanged = this.#took(target as HTMLElement, borderBoxSize[0]?.blockSize ?? 0) || isChanged;
    }
    this.keepEnd();
    this.#look();
    if (this.isPinned) this.scrollTop = this.#lastTop; // the first frame that shows the end draws it
    const isOff = isChanged || this.#lastTop !== this.scrollTop;
    if (isOff && this.#redraw === 0) this.#redraw = requestAnimationFrame(() => this.#scrolled());
  }
}
