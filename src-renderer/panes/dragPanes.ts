import type { Attachment } from 'svelte/attachments';
import type { Side } from './paneTree.ts';

/** Pointer travel that makes a click a drag. */
const SLACK_PX = 5;

/** The half of a pane that the dragged one would take. */
export interface PaneDrop {
  at: string;
  side: Side;
}

interface Listener {
  mark(drop: PaneDrop | null): void;
  toPane(id: string, to: PaneDrop): void;
  /** A pane was dropped on the list of tabs. */
  toTab(id: string): void;
  /** Dropped outside of this window, at that place of the screen. */
  toWindow(id: string, at: { x: number; y: number }): void;
}

interface Drag {
  id: string;
  source: Element;
  isPane: boolean;
  from: { x: number; y: number };
  isMoving: boolean;
}

/** Lets a tab of the list, or a pane by its head, be dragged onto a half of a pane, a pane onto the list, and both out of the window. Escape takes the drag back. */
export function dragPanes(listener: Listener): Attachment<HTMLElement> {
  return (area) => {
    let drag: Drag | undefined;
    const stop = new AbortController();
    const end = () => {
      drag = undefined;
      listener.mark(null);
    };
    const on = {
      pointerdown: (event: PointerEvent) => {
        drag = event.button === 0 ? dragFrom(event) : undefined;
      },
      pointermove: (event: PointerEvent) => {
        if (!drag) return;
        drag.isMoving ||= Math.hypot(event.x - drag.from.x, event.y - drag.from.y) >= SLACK_PX;
        if (!drag.isMoving) return;
        const drop = dropAt(area, drag.id, event);
        listener.mark(drop);
        if (drop && !drag.isPane) clearOrderMarks(drag.source);
      },
      pointerup: (event: PointerEvent) => {
        const ended = drag;
        end();
        if (!ended?.isMoving) return;
        const drop = dropAt(area, ended.id, event);
        if (isOutside(event)) {
          ended.source.dispatchEvent(new PointerEvent('pointercancel', { bubbles: true }));
          listener.toWindow(ended.id, { x: event.screenX, y: event.screenY });
        } else if (drop) {
          // The list would take the end of the drag for another place in itself.
          if (!ended.isPane) ended.source.dispatchEvent(new PointerEvent('pointercancel', { bubbles: true }));
          listener.toPane(ended.id, drop);
        } else if (ended.isPane && elementAt(event)?.closest('[role="tablist"]')) listener.toTab(ended.id);
      },
      keydown: (event: KeyboardEvent) => {
        if (event.key === 'Escape') end();
      },
    };
    window.addEventListener('pointerdown', on.pointerdown, { capture: true, signal: stop.signal });
    window.addEventListener('pointermove', on.pointermove, { signal: stop.signal }); // after the list, whose mark gives way
    window.addEventListener('pointerup', on.pointerup, { capture: true, signal: stop.signal });
    window.addEventListener('keydown', on.keydown, { capture: true, signal: stop.signal });
    return () => stop.abort();
  };
}

function dragFrom({ target, x, y }: PointerEvent): Drag | undefined {
  if (!(target instanceof Element)) return undefined;
  const head = target.closest('button') ? null : target.closest<HTMLElement>('[data-pane-head]');
  const source = head ?? target.closest<HTMLElement>('[data-tab]');
  const id = source?.dataset.paneHead ?? source?.dataset.tab;
  return source && id ? { id, source, isPane: head !== null, from: { x, y }, isMoving: false } : undefined;
}

/** Out of the page: the browser's own bars count as outside, as they do when one of its tabs is dragged out. */
function isOutside({ x, y }: PointerEvent): boolean {
  return x < 0 || y < 0 || x >= innerWidth || y >= innerHeight;
}

function elementAt({ x, y }: PointerEvent): Element | null {
  return document.elementFromPoint(x, y);
}

/** The half of the pane under the pointer; null outside of the panes and over the dragged pane. */
function dropAt(area: HTMLElement, id: string, { x, y }: PointerEvent): PaneDrop | null {
  for (const pane of area.querySelectorAll<HTMLElement>('[data-pane-of]')) {
    const box = pane.getBoundingClientRect();
    const at = pane.dataset.paneOf ?? '';
    if (x < box.left || x >= box.right || y < box.top || y >= box.bottom) continue;
    return at === id ? null : { at, side: halfAt(box, { x, y }) };
  }
  return null;
}

/** Which edge of the box is nearest, as a share of its size. */
export function halfAt(
  box: Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>,
  { x, y }: { x: number; y: number },
): Side {
  const across = (x - box.left) / box.width - 0.5;
  const down = (y - box.top) / box.height - 0.5;
  if (Math.abs(across) >= Math.abs(down)) return across < 0 ? 'left' : 'right';
  return down < 0 ? 'up' : 'down';
}

function clearOrderMarks(source: Element): void {
  for (const slot of source.closest('[role="tablist"]')?.querySelectorAll('[data-drop]') ?? [])
    slot.removeAttribute('data-drop');
}
