import { z } from 'zod';
import type { Workspace } from '../contract/api.ts';
import { BlockId, TerminalId } from '../contract/ids.ts';
import { PaneTree } from '../contract/panes.ts';
import { PROJECT_COLORS } from '../contract/project.ts';
import { procedure, router } from './trpc.ts';

/** An absolute path, at most as long as the system allows. */
const Root = z.string().max(4096);

export const workspaceRouter = router({
  get: procedure.query(({ ctx }): Workspace => ctx.core.workspace.value),

  setOrder: procedure
    .input(z.object({ ids: z.array(TerminalId).max(10_000) }))
    .mutation(({ ctx, input }) => ctx.core.workspace.setOrder(input.ids)),

  setActive: procedure
    .input(z.object({ id: TerminalId }))
    .mutation(({ ctx, input }) => ctx.core.workspace.setActive(input.id)),

  setFolded: procedure
    .input(z.object({ terminalId: TerminalId, blockId: BlockId, folded: z.boolean() }))
    .mutation(({ ctx, input }) => ctx.core.workspace.setFolded(input.blockId, input.folded)),

  setChat: procedure
    .input(z.object({ id: TerminalId, isOpen: z.boolean() }))
    .mutation(({ ctx, input }) => ctx.core.workspace.setChat(input.id, input.isOpen)),

  setPanes: procedure
    .input(z.object({ panes: z.array(PaneTree).max(10_000) }))
    .mutation(({ ctx, input }) => ctx.core.workspace.setPanes(input.panes)),

  setProject: procedure
    .input(
      z.object({
        root: Root,
        name: z.string().max(200).nullable(),
        color: z.enum(PROJECT_COLORS).nullable(),
        isCollapsed: z.boolean(),
      }),
    )
    .mutation(({ ctx, input: { root, ...look } }) => ctx.core.workspace.setProject(root, look)),

  setProjectOrder: procedure
    .input(z.object({ roots: z.array(Root).max(10_000) }))
    .mutation(({ ctx, input }) => ctx.core.workspace.setProjectOrder(input.roots)),
});
