import type { Attachment } from 'svelte/attachments';

/** Pointer travel that makes a click a drag. */
const SLACK_PX = 5;

/**
 * Lets the parts of an element with `data-tab` or `data-project` be dragged into another order. `onMove` is told the value and its place
 * among the others. The slot under the pointer carries `data-drop` for its mark; Escape takes the drag back.
 */
export function dragOrder({ axis, kind }: Kind, onMove: (id: string, to: number) => void): Attachment<HTMLElement> {
  return (list) => {
    let drag: Drag | undefined;
    const end = (isDropped: boolean) => {
      const ended = drag;
      drag = undefined;
      if (!ended) return;
      clearMarks(list, kind);
      if (ended.isMoving && isDropped && ended.to !== null) onMove(ended.id, ended.to);
    };
    const on = {
      pointerdown: (event: PointerEvent) => {
        const slot = slotOf(event.target, kind);
        if (event.button === 0 && slot?.dataset[kind])
          drag = { id: slot.dataset[kind], slot, from: event, isMoving: false, to: null };
      },
      pointermove: (event: PointerEvent) => {
        if (!drag) return;
        if (!drag.isMoving && Math.hypot(event.x - drag.from.x, event.y - drag.from.y) < SLACK_PX) return;
        drag.isMoving = true;
        list.setPointerCapture(event.pointerId);
        clearMarks(list, kind);
        drag.slot.dataset.dragged = '';
        drag.to = markPlace({ list, axis, kind }, drag.slot, axis === 'side' ? event.y : event.x);
      },
      pointerup: () => end(true),
      pointercancel: () => end(false),
      keydown: (event: KeyboardEvent) => event.key === 'Escape' && end(false),
    };
    const entries = Object.entries(on) as [string, EventListener][];
    for (const [name, listener] of entries) list.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of entries) list.removeEventListener(name, listener);
    };
  };
}

interface Kind {
  readonly axis: 'side' | 'top';
  readonly kind: 'tab' | 'project';
}

interface Drag {
  id: string;
  slot: HTMLElement;
  from: PointerEvent;
  isMoving: boolean;
  /** Place among the others where it would be dropped. */
  to: number | null;
}

/** Marks where it would be dropped and gives that place. */
function markPlace({ list, axis, kind }: Kind & { list: HTMLElement }, dragged: HTMLElement, at: number): number {
  const others = slotsOf(list, kind).filter((slot) => slot !== dragged);
  const to = dropPlace(
    others.map((slot) => {
      const box = slot.getBoundingClientRect();
      return axis === 'side' ? (box.top + box.bottom) / 2 : (box.left + box.right) / 2;
    }),
    at,
  );
  const next = others[to];
  if (next) next.dataset.drop = 'before';
  else if (others.length > 0) (others.at(-1) as HTMLElement).dataset.drop = 'after';
  return to;
}

/** How many of the ascending `middles` lie before `at`. */
export function dropPlace(middles: readonly number[], at: number): number {
  return middles.filter((middle) => middle < at).length;
}

function clearMarks(list: HTMLElement, kind: Kind['kind']): void {
  for (const slot of slotsOf(list, kind)) {
    delete slot.dataset.drop;
    delete slot.dataset.dragged;
  }
}

function slotsOf(list: HTMLElement, kind: Kind['kind']): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>(`[data-${kind}]`)];
}

function slotOf(target: EventTarget | null, kind: Kind['kind']): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(`[data-${kind}]`) : null;
}
