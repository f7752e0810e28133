import { z } from 'zod';
import type { Workspace } from '../contract/api.ts';
import { BlockId, TerminalId } from '../contract/ids.ts';
import { PaneTree } from '../contract/panes.ts';
import { PROJECT_COLORS, type ProjectsView } from '../contract/project.ts';
import { type OpenWindows, WindowId } from '../contract/window/windows.ts';
import { procedure, router } from './trpc.ts';

/** An absolute path, at most as long as the system allows. */
const Root = z.string().max(4096);

/** Absent: of no window in particular. */
const InWindow = z.object({ window: WindowId.optional() });

export const workspaceRouter = router({
  get: procedure
    .input(InWindow.optional())
    .query(
      ({ ctx, input }): Workspace =>
        input?.window === undefined ? ctx.core.workspace.value : ctx.core.workspace.valueFor(input.window),
    ),

  /** All open windows, now and after each change. Who follows is one of them for as long as it does. */
  onWindows: procedure.input(z.object({ window: WindowId })).subscription(async function* ({
    ctx,
    input,
    signal,
  }): AsyncGenerator<OpenWindows> {
    yield* ctx.core.workspace.followWindows(input.window, signal);
  }),

  /** Puts a terminal into a window with tabs of its own, or with null back into those that show the rest. */
  moveTab: procedure
    .input(z.object({ id: TerminalId, to: WindowId.nullable() }))
    .mutation(({ ctx, input }) => ctx.core.workspace.moveTab(input.id, input.to)),

  /** The window gives up having tabs of its own. */
  showAll: procedure
    .input(z.object({ window: WindowId }))
    .mutation(({ ctx, input }) => ctx.core.workspace.showAll(input.window)),

  setOrder: procedure
    .input(z.object({ ids: z.array(TerminalId).max(10_000) }))
    .mutation(({ ctx, input }) => ctx.core.workspace.setOrder(input.ids)),

  setActive: procedure
    .input(InWindow.extend({ id: TerminalId }))
    .mutation(({ ctx, input }) => ctx.core.workspace.setActive(input.id, input.window)),

  setFolded: procedure
    .input(z.object({ terminalId: TerminalId, blockId: BlockId, folded: z.boolean() }))
    .mutation(({ ctx, input }) => ctx.core.workspace.setFolded(input.blockId, input.folded)),

  setChat: procedure
    .input(z.object({ id: TerminalId, isOpen: z.boolean() }))
    .mutation(({ ctx, input }) => ctx.core.workspace.setChat(input.id, input.isOpen)),

  setPanes: procedure
    .input(InWindow.extend({ panes: z.array(PaneTree).max(10_000) }))
    .mutation(({ ctx, input }) => ctx.core.workspace.setPanes(input.panes, input.window)),

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

export const projectRouter = router({
  /** Everything at each change. Folders and ports are looked at while this is followed, so a hidden window leaves. */
  onChange: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<ProjectsView> {
    yield* ctx.core.projects.follow(signal);
  }),

  /** Reads the state of all folders again. Large repositories are read less often. */
  refresh: procedure.mutation(({ ctx }): void => ctx.core.projects.refresh()),
});
