import type { Attachment } from 'svelte/attachments';

/** Pointer distance after which a click becomes a drag. */
const SLACK_PX = 5;

/**
 * Lets a person reorder the children with `data-tab` or `data-project` by dragging. Calls `onMove` with the value and its new index among the others.
 * The slot under the pointer has `data-drop` for its mark; Escape cancels the drag.
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
  /** Index among the others at which a drop would insert it. */
  to: number | null;
}

/** Marks the drop position and returns its index. */
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

/** Number of the ascending `middles` before `at`. */
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
