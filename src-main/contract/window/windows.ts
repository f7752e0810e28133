import { z } from 'zod';
import type { TerminalId } from '../ids.ts';

/** Of a window; it makes it itself, and keeps it over a reload. */
export const WindowId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
export type WindowId = z.infer<typeof WindowId>;

/** A window that is open. `tabs`: the terminals that were moved into it; null for a window that shows all that are in no other one. */
export interface OpenWindow {
  id: WindowId;
  tabs: TerminalId[] | null;
  /** The terminal that it shows. */
  active: TerminalId | null;
}

/** What `workspace.onWindows` yields: all open windows, and which one asked. */
export interface OpenWindows {
  own: WindowId;
  windows: OpenWindow[];
}
