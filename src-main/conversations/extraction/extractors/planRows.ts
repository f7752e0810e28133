import type { PlanItem, PlanSource } from '../../../contract/chat/progress.ts';

/** How an agent draws a to-do list: the boxes before the items, and the state that each box means. */
export type PlanBoxes = Readonly<Record<string, PlanItem['state']>>;

/** A row of the list without the frame around it. */
export interface PlanRow {
  readonly text: string;
  /** The item is drawn as the active one, if its box does not show that. */
  readonly isActive?: boolean;
}

/**
 * Reads the list in these rows; null if they have none. Rows above the first box are a remark. A row indented below a box continues its
 * item. A row of another shape marks the list as a part.
 */
export function planInRows(rows: readonly PlanRow[], boxes: PlanBoxes): PlanSource | null {
  const items: PlanItem[] = [];
  let indent = 0;
  let isPart = false;
  for (const { text, isActive } of rows) {
    const box = Object.keys(boxes).find((glyph) => text.trimStart().startsWith(`${glyph} `));
    const from = text.length - text.trimStart().length;
    const last = items.at(-1);
    if (box !== undefined && (last === undefined || from === indent)) {
      indent = from;
      const state = isActive && boxes[box] === 'open' ? 'active' : (boxes[box] ?? 'open');
      items.push({ text: text.trimStart().slice(box.length).trim(), state });
    } else if (last && text.trim() !== '') {
      if (from > indent) items[items.length - 1] = { ...last, text: `${last.text} ${text.trim()}` };
      else isPart = true;
    }
  }
  return items.length === 0 ? null : { items, isPart };
}
