import type { ProjectsView } from '../contract/project.ts';
import { procedure, router } from './trpc.ts';

export const projectRouter = router({
  /** Everything at each change. Folders and ports are looked at while this is followed, so a hidden window leaves. */
  onChange: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<ProjectsView> {
    yield* ctx.core.projects.follow(signal);
  }),

  /** Reads the state of all folders again. Large repositories are read less often. */
  refresh: procedure.mutation(({ ctx }): void => ctx.core.projects.refresh()),
});
