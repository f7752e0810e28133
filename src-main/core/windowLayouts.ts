import { z } from 'zod';
import { TerminalId } from '../contract/ids.ts';
import { PaneTree } from '../contract/panes.ts';
import { WindowId } from '../contract/window/windows.ts';

/** What one window shows. `tabs` as in `OpenWindow`. */
export const WindowLayout = z.object({
  tabs: z.array(TerminalId).nullable().default(null),
  active: z.nullable(TerminalId).default(null),
  panes: z.array(PaneTree).default([]),
});
export type WindowLayout = z.infer<typeof WindowLayout>;

/** By window, the one that changed last at the end. */
export const WindowLayouts = z.record(WindowId, WindowLayout);
export type WindowLayouts = z.infer<typeof WindowLayouts>;

/** A browser's tab that was closed never comes back under its id: the layouts of the oldest are forgotten. */
const MAX_WINDOWS = 40;
const FRESH: WindowLayout = { tabs: null, active: null, panes: [] };

/** With a change of one window, which becomes the newest. */
export function withLayout(layouts: WindowLayouts, id: string, change: Partial<WindowLayout>): WindowLayouts {
  const { [id]: before = FRESH, ...others } = layouts;
  return Object.fromEntries([...Object.entries(others), [id, { ...before, ...change }]].slice(-MAX_WINDOWS));
}

/** Moves a terminal into a window with tabs of its own, which is made where there is none; `to` null: back to the windows that show the rest. */
export function withMoved(layouts: WindowLayouts, terminalId: string, to: string | null): WindowLayouts {
  const left = withoutTerminal(layouts, terminalId);
  if (to === null) return left;
  const tabs = [...(left[to]?.tabs ?? []), terminalId];
  return withLayout(left, to, { tabs, active: terminalId });
}

/** Without a terminal that was closed or goes elsewhere. */
export function withoutTerminal(layouts: WindowLayouts, terminalId: string): WindowLayouts {
  return Object.fromEntries(
    Object.entries(layouts).map(([id, layout]) => {
      const tabs = layout.tabs?.filter((other) => other !== terminalId) ?? null;
      const active = layout.active === terminalId ? (tabs?.at(-1) ?? null) : layout.active;
      return [id, { ...layout, tabs, active }];
    }),
  );
}
