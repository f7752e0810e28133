import { z } from 'zod';
import { TerminalId } from './ids.ts';

/** The panes of one tab: a terminal, or a split into two or more parts side by side (`right`) or one above the other (`down`). */
export type PaneTree = PaneLeaf | PaneSplit;

export interface PaneLeaf {
  kind: 'leaf';
  terminalId: string;
}

export interface PaneSplit {
  kind: 'split';
  direction: 'right' | 'down';
  /** Share of each child in percent. */
  sizes: number[];
  children: PaneTree[];
}

/** Enough: no window has room for more parts side by side. */
const MAX_CHILDREN = 64;

export const PaneTree: z.ZodType<PaneTree> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('leaf'), terminalId: TerminalId }),
    z.object({
      kind: z.literal('split'),
      direction: z.enum(['right', 'down']),
      sizes: z.array(z.number()).max(MAX_CHILDREN),
      children: z.array(PaneTree).max(MAX_CHILDREN),
    }),
  ]),
);
