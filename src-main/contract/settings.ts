import { z } from 'zod';

/** settings.json in the data folder. Every key has a default; unknown keys are kept and ignored. */
export const Settings = z.object({
  version: z.literal(1).default(1),
  theme: z.enum(['system', 'dark', 'light']).default('system'),
  tabs: z.enum(['side', 'top']).default('side'),
  'terminal.fontFamily': z.string().default('IBM Plex Mono'),
  'terminal.fontSizePx': z.number().min(8).max(40).default(12.5),
  'terminal.scrollbackLines': z.number().int().min(0).max(100_000).default(10_000),
  'prompt.mode': z.enum(['composer', 'shell']).default('composer'),
  'shell.default': z.string().default(''),
  'notify.longCommandMs': z.number().default(30_000),
  keys: z.record(z.string(), z.string()).default({}),
});
export type Settings = z.infer<typeof Settings>;
