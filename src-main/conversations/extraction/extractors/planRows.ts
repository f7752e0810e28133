import type { PlanItem, PlanSource } from '../../../contract/chat/progress.ts';
import { unwrapped } from '../markdown/unwrap.ts';

/** How an agent draws a to-do list: the boxes before the items, and the state that each box means. */
export type PlanBoxes = Readonly<Record<string, PlanItem['state']>>;

/** A row of the list without the frame around it. */
export interface PlanRow {
  readonly text: string;
  /** The item is drawn as the active one, if its box does not show that. */
  readonly isActive?: boolean;
}

export interface PlanDrawing {
  readonly boxes: PlanBoxes;
  /** Columns of a row, at whose end the agent wraps. */
  readonly cols: number;
}

/** An item whose rows are still collected. */
interface OpenItem {
  readonly state: PlanItem['state'];
  readonly lines: string[];
  /** The column at which its text begins. */
  readonly column: number;
}

/**
 * Reads the list in these rows; null if they have none. Rows above the first box are a remark. A row indented below a box continues its
 * item. A row of another shape marks the list as a part.
 */
export function planInRows(rows: readonly PlanRow[], { boxes, cols }: PlanDrawing): PlanSource | null {
  const items: OpenItem[] = [];
  let indent = 0;
  let isPart = false;
  for (const { text, isActive } of rows) {
    const box = boxOf(text, boxes);
    const from = text.length - text.trimStart().length;
    const last = items.at(-1);
    if (box !== null && (last === undefined || from === indent)) {
      indent = from;
      const state = isActive && boxes[box] === 'open' ? 'active' : (boxes[box] ?? 'open');
      const column = from + box.length + 1;
      items.push({ state, lines: [text.slice(column).trim()], column });
    } else if (last && text.trim() !== '') {
      if (from > indent) last.lines.push(text.trim());
      else isPart = true;
    }
  }
  if (items.length === 0) return null;
  return {
    items: items.map(({ state, lines, column }) => ({
      text: unwrapped(lines, cols - column).replaceAll('\n', ' '),
      state,
    })),
    isPart,
  };
}

/** The box at the beginning of a row; null if there is none. An item without words is a box alone. */
export function boxOf(text: string, boxes: PlanBoxes): string | null {
  const own = `${text.trim()} `;
  return Object.keys(boxes).find((glyph) => own.startsWith(`${glyph} `)) ?? null;
}
