import { Settings, SettingsChange } from '../contract/settings.ts';
import { telemetryRouter } from './telemetryRouter.ts';
import { procedure, router } from './trpc.ts';

export const settingsRouter = router({
  get: procedure.query(({ ctx }): Settings => ctx.core.settings.value),

  /** The default of each setting. */
  defaults: procedure.query((): Settings => Settings.parse({})),

  /** Keys that are absent keep their value. */
  set: procedure.input(SettingsChange).mutation(({ ctx, input }): Promise<Settings> => ctx.core.settings.update(input)),

  onChange: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<Settings> {
    yield* ctx.core.settings.follow(signal);
  }),

  telemetry: telemetryRouter,
});
