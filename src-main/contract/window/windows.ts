import { z } from 'zod';
import type { TerminalId } from '../ids.ts';

/** Id of a window, which the window itself creates and keeps across reloads. */
export const WindowId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
export type WindowId = z.infer<typeof WindowId>;

/** An open window. `tabs`: the terminals that were moved into it; null for a window that shows all that no other window has. */
export interface OpenWindow {
  id: WindowId;
  tabs: TerminalId[] | null;
  /** The terminal that it shows. */
  active: TerminalId | null;
}

/** Item of `workspace.onWindows`: all open windows, and the asking one. */
export interface OpenWindows {
  own: WindowId;
  windows: OpenWindow[];
}
