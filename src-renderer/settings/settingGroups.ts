import type { SystemInfo } from '../../src-main/contract/api.ts';
import type { Settings } from '../../src-main/contract/settings.ts';
import { strings } from '../app/strings.ts';
import { telemetryFields } from './telemetryFields.ts';

type Keys<Value> = { [K in keyof Settings]: Settings[K] extends Value ? K : never }[keyof Settings];

interface Base {
  title: string;
  about?: string;
}
/** A row of the settings page as data: what it changes and how it is asked. */
export type SettingField = Base &
  (
    | { kind: 'check'; key: Keys<boolean> }
    | { kind: 'number'; key: Keys<number>; min: number; max: number; step: number; factor?: number }
    | { kind: 'text'; key: Keys<string>; maxLength: number; isRequired?: boolean; placeholder?: string }
    | { kind: 'choice'; key: Keys<string>; options: readonly { value: string; label: string }[] }
    | { kind: 'shell'; key: 'shell.default' }
    | { kind: 'agentWaits'; key: 'notify.agentWaits' }
  );

export type GroupId =
  | 'appearance'
  | 'terminal'
  | 'composer'
  | 'notifications'
  | 'conversations'
  | 'mcp'
  | 'telemetry'
  | 'record';

const words = strings.settings;
const choices = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label: label as string }));

/** In this order, which an object with numbers for names does not keep. */
const clocks = (['system', '12', '24'] as const).map((value) => ({ value, label: words.clocks[value] }));

const appearance: readonly SettingField[] = [
  {
    kind: 'number',
    key: 'window.textScale',
    title: words.textScale,
    about: words.textScaleAbout,
    min: 80,
    max: 200,
    step: 10,
  },
  { kind: 'choice', key: 'tabs', title: words.tabs, options: choices(words.places) },
  { kind: 'check', key: 'tabs.groups', title: words.tabGroups, about: words.tabGroupsAbout },
  { kind: 'choice', key: 'window.clock', title: words.clock, options: clocks },
  { kind: 'choice', key: 'cards.density', title: words.density, options: choices(words.densities) },
  {
    kind: 'text',
    key: 'terminal.fontFamily',
    title: words.font,
    about: words.fontAbout,
    maxLength: 200,
    isRequired: true,
  },
  {
    kind: 'number',
    key: 'terminal.fontSizePx',
    title: words.fontSize,
    about: words.fontSizeAbout,
    min: 8,
    max: 40,
    step: 0.5,
  },
  {
    kind: 'number',
    key: 'terminal.fontWeight',
    title: words.fontWeight,
    about: words.fontWeightAbout,
    min: 100,
    max: 900,
    step: 100,
  },
  { kind: 'check', key: 'terminal.ligatures', title: words.ligatures, about: words.ligaturesAbout },
  {
    kind: 'number',
    key: 'terminal.lineHeight',
    title: words.lineHeight,
    about: words.lineHeightAbout,
    min: 1,
    max: 2.5,
    step: 0.1,
  },
  {
    kind: 'number',
    key: 'terminal.minimumContrast',
    title: words.contrast,
    about: words.contrastAbout,
    min: 1,
    max: 21,
    step: 0.5,
  },
  {
    kind: 'choice',
    key: 'terminal.cursorShape',
    title: words.cursorShape,
    about: words.cursorAbout,
    options: choices(words.cursors),
  },
  { kind: 'check', key: 'terminal.cursorBlink', title: words.cursorBlink, about: words.cursorAbout },
];

const terminal: readonly SettingField[] = [
  { kind: 'shell', key: 'shell.default', title: words.shell },
  {
    kind: 'number',
    key: 'terminal.scrollbackLines',
    title: words.scrollback,
    about: words.scrollbackAbout,
    min: 0,
    max: 100_000,
    step: 500,
  },
  { kind: 'check', key: 'terminal.copyOnSelect', title: words.copyOnSelect, about: words.copyOnSelectAbout },
  {
    kind: 'check',
    key: 'terminal.optionAsMeta',
    title: words.optionAsMeta,
    about: words.optionAsMetaAbout,
  },
  {
    kind: 'text',
    key: 'editor.command',
    title: words.editor,
    about: words.editorAbout,
    maxLength: 4096,
    placeholder: words.editorPlaceholder,
  },
];

const composer: readonly SettingField[] = [
  {
    kind: 'choice',
    key: 'prompt.mode',
    title: words.prompt,
    about: words.promptAbout,
    options: choices(words.prompts),
  },
  { kind: 'check', key: 'composer.suggest', title: words.suggest, about: words.suggestAbout },
  { kind: 'check', key: 'composer.ghost', title: words.ghost, about: words.ghostAbout },
  {
    kind: 'choice',
    key: 'composer.keys',
    title: words.composerKeys,
    about: words.composerKeysAbout,
    options: choices(words.keySets),
  },
];

const notifications: readonly SettingField[] = [
  { kind: 'agentWaits', key: 'notify.agentWaits', title: words.agentWaits, about: words.agentWaitsAbout },
  { kind: 'check', key: 'notify.agentDone', title: words.notifyAgentDone, about: words.notifyAgentDoneAbout },
  { kind: 'check', key: 'notify.programs', title: words.notifyPrograms, about: words.notifyProgramsAbout },
  { kind: 'check', key: 'notify.commands', title: words.notifyCommands, about: words.notifyCommandsAbout },
  {
    kind: 'number',
    key: 'notify.longCommandMs',
    title: words.longCommand,
    about: words.longCommandAbout,
    min: 1,
    max: 86_400,
    step: 1,
    factor: 1000,
  },
];

const conversations: readonly SettingField[] = [
  { kind: 'choice', key: 'conversation.show', title: words.showConversation, options: choices(words.shows) },
  { kind: 'choice', key: 'conversation.face', title: words.conversationFont, options: choices(words.fonts) },
  { kind: 'check', key: 'agents.sweep', title: words.sweep, about: words.sweepAbout },
  { kind: 'check', key: 'agents.changes', title: words.changes, about: words.changesAbout },
  { kind: 'check', key: 'agents.ownLog', title: words.ownLog, about: words.ownLogAbout },
  { kind: 'choice', key: 'past.import', title: words.pastImport, options: choices(words.asks) },
  { kind: 'choice', key: 'past.continue', title: words.pastContinue, options: choices(words.asks) },
];

const mcp: readonly SettingField[] = [
  { kind: 'check', key: 'mcp.http', title: words.mcpHttp, about: words.mcpHttpAbout },
];

const record: readonly SettingField[] = [
  {
    kind: 'number',
    key: 'retention.days',
    title: words.retention,
    about: words.retentionAbout,
    min: 0,
    max: 36_500,
    step: 1,
  },
  {
    kind: 'choice',
    key: 'quit.whileRunning',
    title: words.quit,
    about: words.quitAbout,
    options: choices(words.quits),
  },
  { kind: 'check', key: 'desktop.tray', title: words.tray, about: words.trayAbout },
  {
    kind: 'text',
    key: 'desktop.globalShortcut',
    title: words.globalShortcut,
    about: words.globalShortcutAbout,
    maxLength: 60,
  },
  { kind: 'text', key: 'update.feed', title: words.feed, about: words.feedAbout, maxLength: 2048 },
];

const GROUPS: readonly [GroupId, readonly SettingField[]][] = Object.entries({
  appearance,
  terminal,
  composer,
  notifications,
  conversations,
  mcp,
  telemetry: telemetryFields,
  record,
}) as [GroupId, readonly SettingField[]][];

/** Every setting that has an effect here, in the page's order. Themes and shortcuts have parts of their own. */
const DESKTOP_ONLY: ReadonlySet<string> = new Set<keyof Settings>([
  'quit.whileRunning',
  'desktop.tray',
  'desktop.globalShortcut',
  'update.feed',
]);

export function settingGroups({ frontend, platform }: Pick<SystemInfo, 'frontend' | 'platform'>): typeof GROUPS {
  const hasEffect = ({ key }: SettingField): boolean => {
    if (key === 'terminal.optionAsMeta') return platform === 'darwin';
    return !DESKTOP_ONLY.has(key) || frontend === 'electron';
  };
  return GROUPS.map(([id, fields]) => [id, fields.filter(hasEffect)]);
}
