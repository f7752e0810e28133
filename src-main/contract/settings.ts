import { z } from 'zod';

/** settings.json in the data folder. Every key has a default; unknown keys are kept and ignored. */
export const Settings = z.object({
  version: z.literal(1).default(1).describe('Version of this file'),
  theme: z
    .enum(['system', 'dark', 'light'])
    .default('system')
    .describe('Use the dark theme, the light theme, or match the system'),
  'theme.dark': z.string().max(60).default('ink').describe('Dark theme, by its id in `hansard themes ls`'),
  'theme.light': z.string().max(60).default('paper').describe('Light theme, by its id in `hansard themes ls`'),
  tabs: z.enum(['side', 'top']).default('side').describe('Position of the tab list'),
  'cards.density': z
    .enum(['comfortable', 'compact'])
    .default('comfortable')
    .describe('Space around the text of each card'),
  'tabs.groups': z.boolean().default(true).describe('Group the tabs at the side by project'),
  'tabs.widthPx': z.number().min(160).max(480).default(232).describe('Width of the tab list at the side'),
  'terminal.fontFamily': z.string().default('IBM Plex Mono').describe('Font of terminals, cards and the composer'),
  'terminal.fontSizePx': z.number().min(8).max(40).default(12.5).describe('Size of that font in pixels'),
  'terminal.fontWeight': z
    .number()
    .min(100)
    .max(900)
    .default(400)
    .describe('Weight of that font, 400 is regular; bold text is 200 heavier'),
  'terminal.ligatures': z.boolean().default(false).describe('Draw ligatures such as => and != where the font has them'),
  'terminal.lineHeight': z
    .number()
    .min(1)
    .max(2.5)
    .default(1.5)
    .describe('Height of a row, as a multiple of the font size'),
  'terminal.cursorShape': z
    .enum(['bar', 'block', 'underline'])
    .default('bar')
    .describe('Cursor of terminals; a program may choose another one'),
  'terminal.cursorBlink': z.boolean().default(false).describe('Blink the cursor; a program may choose otherwise'),
  'terminal.minimumContrast': z
    .number()
    .min(1)
    .max(21)
    .default(4.5)
    .describe('Least contrast of text and its ground; colours with less are adjusted; 1: never'),
  'terminal.copyOnSelect': z.boolean().default(false).describe('Copy text when you select it with the mouse'),
  'terminal.optionAsMeta': z.boolean().default(true).describe('Use the Option key as Meta in terminals (macOS)'),
  'window.textScale': z.number().int().min(80).max(200).default(100).describe('Size of all text in percent'),
  'window.clock': z
    .enum(['system', '12', '24'])
    .default('system')
    .describe('Times as 2:05 PM or as 14:05, or as the language of the browser or the app has them'),
  'window.welcomed': z
    .boolean()
    .default(false)
    .describe('Whether the choices of the first run were made, skipped, or made needless by a command'),
  'terminal.scrollbackLines': z
    .number()
    .int()
    .min(0)
    .max(100_000)
    .default(10_000)
    .describe('Lines that a terminal view keeps above the screen; the record keeps all of them'),
  'prompt.mode': z
    .enum(['composer', 'shell'])
    .default('composer')
    .describe("Write commands in Hansard's composer or at the shell's own prompt"),
  'composer.suggest': z.boolean().default(true).describe('Offer completions while you type in the composer'),
  'composer.ghost': z
    .boolean()
    .default(true)
    .describe('Show the rest of an earlier command behind what you type in the composer'),
  'composer.keys': z
    .enum(['default', 'vim'])
    .default('default')
    .describe('Keys of the composer: the usual ones or Vim’s'),
  'shell.default': z.string().default('').describe("Path of the shell of new tabs; '': your login shell"),
  'editor.command': z
    .string()
    .max(4096)
    .default('')
    .describe(
      "Command of your editor with {file}, {line} and {col}, such as `code -g {file}:{line}`; '': $VISUAL, $EDITOR or a tab",
    ),
  'retention.days': z
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(0)
    .describe('Prune closed terminals that were unused for more than this many days of use; 0: no age limit'),
  /** Older versions wrote their default of 30 beside every other change. */
  'retention.daysChosen': z
    .boolean()
    .default(false)
    .describe('Whether you chose `retention.days`; set by the settings page'),
  'retention.bytes': z
    .number()
    .int()
    .min(0)
    .default(10 * 1024 ** 3)
    .describe(
      'Prune the longest unused closed terminals when all terminals take more bytes on disk than this; 0: no limit',
    ),
  'notify.longCommandMs': z
    .number()
    .default(30_000)
    .describe(
      'Mark the tab of a command that took longer than this many milliseconds and ended while you looked elsewhere',
    ),
  'notify.agentWaits': z
    .boolean()
    .default(true)
    .describe('Notify you when an agent needs input while you look elsewhere'),
  'notify.commands': z.boolean().default(true).describe('Notify you when a long command ends while you look elsewhere'),
  'notify.programs': z
    .boolean()
    .default(true)
    .describe('Show the notifications that programs send by OSC 9, 99 and 777 while you look elsewhere'),
  'notify.agentDone': z
    .boolean()
    .default(true)
    .describe('Notify you when an agent ends its turn while you look elsewhere'),
  'conversation.face': z.enum(['serif', 'sans', 'mono']).default('serif').describe('Conversation font'),
  'conversation.widthPx': z.number().min(320).max(900).default(436).describe('Width of the conversation panel'),
  'conversation.show': z
    .enum(['auto', 'always', 'never'])
    .default('auto')
    .describe('Show the conversation panel: when there is a conversation, in every tab, or only when you open it'),
  'agents.sweep': z
    .boolean()
    .default(true)
    .describe('Capture off-screen output: make an agent redraw its last turn, unseen, when its screen was too small'),
  'agents.ownLog': z
    .boolean()
    .default(true)
    .describe("Compare the recorded conversation with the agent's own log, which is only read"),
  'past.import': z
    .enum(['ask', 'always', 'never'])
    .default('ask')
    .describe(
      'Import past conversations from agent logs, so that search and History find them; the logs are only read',
    ),
  'past.continue': z
    .enum(['ask', 'always', 'never'])
    .default('ask')
    .describe('Continue a conversation that a restart of Hansard or of the machine cut off, in the same terminal'),
  'agents.changes': z
    .boolean()
    .default(true)
    .describe("Snapshot an agent's git work tree at each prompt and when it is done, to show what it changed"),
  'mcp.http': z
    .boolean()
    .default(false)
    .describe(
      'Allow MCP clients over HTTP, on this machine and with a token that stays the same; the socket is always open',
    ),
  'mcp.httpPort': z
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(0)
    .describe('Port of MCP over HTTP; 0: any free port, and the same one at the next start if it is free'),
  'telemetry.enabled': z
    .boolean()
    .default(false)
    .describe('Send conversations of agents as OpenTelemetry traces to `telemetry.endpoint`'),
  'telemetry.content': z
    .boolean()
    .default(false)
    .describe('Send the texts of prompts, answers and tools too, redacted; otherwise only names, ids and times'),
  'telemetry.endpoint': z
    .string()
    .max(2048)
    .default('')
    .describe(
      'OTLP/HTTP address of the collector, such as `https://collector.example:4318`; Hansard adds `/v1/traces`',
    ),
  'telemetry.encoding': z.enum(['protobuf', 'json']).default('protobuf').describe('Encoding of OTLP requests'),
  'telemetry.allowPlain': z
    .boolean()
    .default(false)
    .describe('Allow http, which is not encrypted, to a collector on another machine'),
  'telemetry.serviceName': z
    .string()
    .min(1)
    .max(200)
    .default('hansard')
    .describe('Value of `service.name`, by which backends group traces'),
  'telemetry.hostName': z.boolean().default(false).describe('Send the name of this computer as `host.name`'),
  'telemetry.queueBytes': z
    .number()
    .int()
    .min(1024 ** 2)
    .max(1024 ** 3)
    .default(64 * 1024 ** 2)
    .describe('Limit on disk, in bytes, of turns that wait for the collector; beyond it the oldest are dropped'),
  'quit.whileRunning': z
    .enum(['ask', 'keep', 'end'])
    .default('ask')
    .describe('When you quit the desktop app while programs run: ask, keep them in the background, or end them'),
  'desktop.tray': z
    .boolean()
    .default(false)
    .describe('Show Hansard in the tray of the desktop, and keep it running there when its last window closes'),
  'desktop.globalShortcut': z
    .string()
    .max(60)
    .default('')
    .describe("Shortcut that shows the desktop app from any program, such as `Ctrl+Alt+H`; '': no shortcut"),
  'update.feed': z
    .string()
    .max(2048)
    .default('')
    .describe("https address of the feed in which the desktop app looks for a new version when you ask; '': no feed"),
  keys: z
    .record(z.string(), z.string())
    .default({})
    .describe('Shortcuts by action: `{"tab.new": "Ctrl+Y"}`; \'\' removes a shortcut'),
});
export type Settings = z.infer<typeof Settings>;

const FORMER_DEFAULT_DAYS = 30;

/** Whether `retention.days` is the former default, which the person need not have chosen: it is no limit then. */
export function hasFormerDays(settings: Pick<Settings, 'retention.days' | 'retention.daysChosen'>): boolean {
  return settings['retention.days'] === FORMER_DEFAULT_DAYS && !settings['retention.daysChosen'];
}

/** The effective settings, in which the former default age limit does not apply. */
export function withoutFormerDays<T extends Pick<Settings, 'retention.days' | 'retention.daysChosen'>>(settings: T): T {
  return hasFormerDays(settings) ? { ...settings, 'retention.days': 0 } : settings;
}

type Plain<Shape> = { [K in keyof Shape]: Shape[K] extends z.ZodDefault<infer Field> ? z.ZodOptional<Field> : never };

/** Keys to change. Removes defaults, because zod fills them in even in a partial schema: changing one key would reset the others. */
export const SettingsChange = z.object(
  Object.fromEntries(
    Object.entries(Settings.shape).map(([key, field]) => [key, field.removeDefault().optional()]),
  ) as Plain<typeof Settings.shape>,
);
export type SettingsChange = z.infer<typeof SettingsChange>;
