/** The selected cards. `anchorId`: the card at which a range begins. */
export interface CardSelection {
  readonly ids: ReadonlySet<string>;
  readonly anchorId: string | null;
}

/** `order`: the cards from the oldest to the newest. */
export type SelectionStep =
  | { type: 'toggle'; id: string }
  /** Selects all from the anchor to `id`, or from `fromId` if there is no anchor, instead of the previous selection. */
  | { type: 'range'; id: string; fromId: string; order: readonly string[] }
  | { type: 'all'; order: readonly string[] }
  | { type: 'clear' };

export const NOTHING_SELECTED: CardSelection = { ids: new Set(), anchorId: null };

/** Applies one step to the selection. */
export function reduceSelection(selection: CardSelection, step: SelectionStep): CardSelection {
  switch (step.type) {
    case 'toggle':
      return toggle(selection, step.id);
    case 'range':
      return range(selection, step);
    case 'all':
      return { ids: new Set(step.order), anchorId: step.order[0] ?? null };
    case 'clear':
      return NOTHING_SELECTED;
  }
}

function toggle({ ids }: CardSelection, id: string): CardSelection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next.size === 0 ? NOTHING_SELECTED : { ids: next, anchorId: id };
}

function range(selection: CardSelection, step: Extract<SelectionStep, { type: 'range' }>): CardSelection {
  const { id, fromId, order } = step;
  const to = order.indexOf(id);
  if (to < 0) return selection;
  const wanted = order.indexOf(selection.anchorId ?? fromId);
  const from = wanted < 0 ? to : wanted; // the anchor card no longer exists
  const ids = new Set(order.slice(Math.min(from, to), Math.max(from, to) + 1));
  return { ids, anchorId: order[from] ?? id };
}
