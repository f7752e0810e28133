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
  /** Words of an editor's command line with {file}, {line} and {col}, such as `code -g {file}:{line}`; '': $VISUAL, $EDITOR or a tab. */
  'editor.command': z.string().max(4096).default(''),
  /** Terminals in no tab move to the trash when unused for more days of use than this; 0: never for their age. */
  'retention.days': z.number().int().min(0).max(36_500).default(0),
  /** Whether a person chose `retention.days`: older versions wrote their default of 30 beside every other change. */
  'retention.daysChosen': z.boolean().default(false),
  /** Of all terminals together on disk; beyond it the longest unused move to the trash. 0: no limit. */
  'retention.bytes': z
    .number()
    .int()
    .min(0)
    .default(10 * 1024 ** 3),
  'notify.longCommandMs': z.number().default(30_000),
  /** Say when an agent comes to wait in a tab that is not looked at. */
  'notify.agentWaits': z.boolean().default(true),
  /** In what the words of a conversation are set. */
  'conversation.face': z.enum(['serif', 'sans', 'mono']).default('serif'),
  'conversation.widthPx': z.number().min(320).max(900).default(436),
  /** Beside the terminal: where an agent has spoken in it, in every tab, or only when asked for. */
  'conversation.show': z.enum(['auto', 'always', 'never']).default('auto'),
  /** Make an agent draw its whole last turn, unseen, where its screen was too small for it. */
  'agents.sweep': z.boolean().default(true),
  /** Compare what was recorded with the log that the agent itself keeps, which is only read. Recording is complete without it. */
  'agents.ownLog': z.boolean().default(true),
  /** Agents outside may speak HTTP too, on this machine alone and with the token of endpoint.json; the socket is always there. */
  'mcp.http': z.boolean().default(false),
  /** 0: any free one, another at each start. */
  'mcp.httpPort': z.number().int().min(0).max(65_535).default(0),
  /** Quitting the desktop app while programs run: ask, keep them in the background, or end them. */
  'quit.whileRunning': z.enum(['ask', 'keep', 'end']).default('ask'),
  keys: z.record(z.string(), z.string()).default({}),
});
export type Settings = z.infer<typeof Settings>;

const FORMER_DEFAULT_DAYS = 30;

/** Whether `retention.days` is the former default, which no person is known to have chosen: it is no limit then. */
export function hasFormerDays(settings: Pick<Settings, 'retention.days' | 'retention.daysChosen'>): boolean {
  return settings['retention.days'] === FORMER_DEFAULT_DAYS && !settings['retention.daysChosen'];
}

/** The effective settings: the former default age limit, which no person chose, does not count. */
export function withoutFormerDays<T extends Pick<Settings, 'retention.days' | 'retention.daysChosen'>>(settings: T): T {
  return hasFormerDays(settings) ? { ...settings, 'retention.days': 0 } : settings;
}

type Plain<Shape> = { [K in keyof Shape]: Shape[K] extends z.ZodDefault<infer Field> ? z.ZodOptional<Field> : never };

/** Keys to change. Zod fills in the defaults of absent keys even in a partial schema: a change of one would reset the others. */
export const SettingsChange = z.object(
  Object.fromEntries(
    Object.entries(Settings.shape).map(([key, field]) => [key, field.removeDefault().optional()]),
  ) as Plain<typeof Settings.shape>,
);
export type SettingsChange = z.infer<typeof SettingsChange>;
