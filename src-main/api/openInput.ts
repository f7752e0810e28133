import { z } from 'zod';
import { TerminalSize } from '../contract/terminal.ts';
import { WindowId } from '../contract/window/windows.ts';

/** What a new terminal needs: its size, its folder, and the window that asks for it. */
export const OpenInput = z.object({
  ...TerminalSize.shape,
  cwd: z.string().max(4096).optional(),
  window: WindowId.optional(),
});
