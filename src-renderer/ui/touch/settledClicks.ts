import type { Stop } from '../../rpc/Rpc.ts';

/** A click or key within this time after a change was meant for what was here before: a person needs 250 ms and more to see it and act. */
export const SETTLED_MS = 400;

/** A difference below this is rounding, in px. */
const ROUNDING_PX = 1;

/** Position of one group of buttons. */
interface Place {
  /** Distance from the top of the window, px. */
  readonly topPx: number;
  /** Distance from the top of the scrolled content, px. */
  readonly contentPx: number;
  /** Time since which it has been there, ms of `performance.now`. */
  readonly sinceMs: number;
}

/**
 * Stops clicks on buttons that appeared or were pushed elsewhere by other content within SETTLED_MS, in the page with the scrolled `list`,
 * and calls `onEarly` with the id of their group. A group is an element with `data-settles`, its id; another id is another group. Scrolling
 * moves nothing, except after a change of the list's height: a list at its end scrolls by itself when it gets shorter.
 */
export function settledClicks(list: HTMLElement, onEarly: (id: string) => void): Stop {
  const page = list.closest<HTMLElement>('[data-keys]') ?? list;
  let places = new Map<string, Place>();
  let size = { sizePx: '', sinceMs: 0 };
  let frame = 0;

  function place(group: HTMLElement, before: Place | undefined, nowMs: number): Place {
    const topPx = group.getBoundingClientRect().top;
    const contentPx = topPx + list.scrollTop;
    const differs = (from: number, to: number) => Math.abs(from - to) > ROUNDING_PX;
    const isScrolled = nowMs - size.sinceMs >= SETTLED_MS && before && !differs(contentPx, before.contentPx);
    const isMoved = !before || (differs(topPx, before.topPx) && !isScrolled);
    return { topPx, contentPx, sinceMs: isMoved ? nowMs : before.sinceMs };
  }

  function look(): void {
    const nowMs = performance.now();
    const sizePx = `${list.scrollHeight} ${list.clientHeight}`;
    if (sizePx !== size.sizePx) size = { sizePx, sinceMs: nowMs };
    const groups = [...page.querySelectorAll<HTMLElement>('[data-settles]')];
    places = new Map(
      groups.map((group) => {
        const id = group.dataset.settles ?? '';
        return [id, place(group, places.get(id), nowMs)];
      }),
    );
  }

  function lookLater(): void {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      look();
    });
  }

  function takeClick(event: MouseEvent): void {
    const group = event.target instanceof Element && event.target.closest<HTMLElement>('[data-settles]');
    if (!group) return;
    look();
    const id = group.dataset.settles ?? '';
    if (performance.now() - (places.get(id)?.sinceMs ?? 0) >= SETTLED_MS) return;
    event.stopPropagation();
    event.preventDefault();
    onEarly(id);
  }

  look();
  const changes = new MutationObserver(lookLater);
  changes.observe(page, { subtree: true, childList: true, characterData: true, attributes: true });
  list.addEventListener('scroll', lookLater, { passive: true });
  page.addEventListener('click', takeClick, { capture: true });
  return () => {
    changes.disconnect();
    cancelAnimationFrame(frame);
    list.removeEventListener('scroll', lookLater);
    page.removeEventListener('click', takeClick, { capture: true });
  };
}
