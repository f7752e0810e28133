import { z } from 'zod';
import type { Workspace } from '../contract/api.ts';
import { BlockId, TerminalId } from '../contract/ids.ts';
import { PaneTree } from '../contract/panes.ts';
import { PROJECT_COLORS, type ProjectsView } from '../contract/project.ts';
import { type OpenWindows, WindowId } from '../contract/window/windows.ts';
import { procedure, router } from './trpc.ts';

/** An absolute path, at most as long as the system allows. */
const Root = z.string().max(4096);

/** Absent: for no particular window. */
const InWindow = z.object({ window: WindowId.optional() });

export const workspaceRouter = router({
  get: procedure
    .input(InWindow.optional())
    .query(
      ({ ctx, input }): Workspace =>
        input?.window === undefined ? ctx.core.workspace.value : ctx.core.workspace.valueFor(input.window),
    ),

  /** Yields all open windows, now and after each change. A subscriber counts as an open window while it is subscribed. */
  onWindows: procedure.input(z.object({ window: WindowId })).subscription(async function* ({
    ctx,
    input,
    signal,
  }): AsyncGenerator<OpenWindows> {
    yield* ctx.core.workspace.followWindows(input.window, signal);
  }),

  /** Moves a terminal into a window with its own tabs, or with null back into the windows that show the rest. */
  moveTab: procedure
    .input(z.object({ id: TerminalId, to: WindowId.nullable() }))
    .mutation(({ ctx, input }) => ctx.core.workspace.moveTab(input.id, input.to)),

  /** Ends a window's own selection of tabs. */
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
  /** Yields everything at each change. Folders and ports are checked only while this is subscribed, so a hidden window unsubscribes. */
  onChange: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<ProjectsView> {
    yield* ctx.core.projects.follow(signal);
  }),

  /** Reads the state of all folders again. Large repositories are read less often. */
  refresh: procedure.mutation(({ ctx }): void => ctx.core.projects.refresh()),
});
