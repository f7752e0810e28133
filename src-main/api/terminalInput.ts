import { z } from 'zod';
import { OnMachine } from '../contract/machines.ts';
import { TerminalSize } from '../contract/terminal.ts';
import { WindowId } from '../contract/window/windows.ts';
import { FOCUS_REPORTS } from '../shared/focusReports.ts';
import { inOrder } from '../terminal/input/InputSequencer.ts';
import type { PtyInstance } from '../terminal/PtyInstance.ts';
import type { ApiContext } from './trpc.ts';

/** What a new terminal needs: its size, its folder, and the window that asks for it. */
export const OpenInput = z.object({
  ...TerminalSize.shape,
  cwd: z.string().max(4096).optional(),
  window: WindowId.optional(),
  ...OnMachine.shape,
});

type Caller = Pick<ApiContext, 'core' | 'clientId'>;

/** The terminal for input of this client, which determines its size from now on. */
export function used({ core, clientId }: Caller, id: string, data?: string | Uint8Array): PtyInstance {
  const terminal = core.terminal(id);
  if (data === undefined || !FOCUS_REPORTS.has(data)) terminal.viewers.used(clientId);
  return terminal;
}

/** Types numbered input once and in order, and resolves when it is typed; unnumbered input is typed as it arrives. */
export async function typeInOrder(
  ctx: Caller,
  { id, writer, number }: { id: string; writer?: string | undefined; number?: number | undefined },
  data: string | Uint8Array,
): Promise<void> {
  const terminal = used(ctx, id, data);
  const type = (): void => {
    if (data.length > 0) terminal.type(data); // an empty piece replaces a refused one
  };
  if (writer === undefined || number === undefined) return type();
  const typing = inOrder(ctx.core.typed, { writer, number }, type);
  terminal.noteTyped(writer, ctx.core.typed.nextOf(writer)); // in the same system call
  await typing;
}
