import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { textAfterHelp } from '../../src-main/cli/completions/manPage.ts';
import { buildProgram } from '../../src-main/cli/program.ts';
import { Settings } from '../../src-main/contract/settings.ts';
import { registerAgentActions } from '../../src-renderer/agents/agentActions.ts';
import { registerStartActions } from '../../src-renderer/agents/start/startActions.ts';
import { Actions } from '../../src-renderer/app/Actions.svelte.ts';
import { parseChords, showChord } from '../../src-renderer/app/chord.ts';
import { registerFrameActions } from '../../src-renderer/app/frameActions.ts';
import { registerAuditActions } from '../../src-renderer/audit/auditActions.ts';
import { registerBlockActions } from '../../src-renderer/cards/card/blockActions.ts';
import { registerPaneActions } from '../../src-renderer/cards/list/paneActions.ts';
import { registerChangesActions } from '../../src-renderer/changes/changesActions.ts';
import { registerConversationActions } from '../../src-renderer/conversation/conversationActions.ts';
import { registerChatActions } from '../../src-renderer/conversation/message/chatActions.ts';
import { registerHistoryActions } from '../../src-renderer/history/historyActions.ts';
import { registerMachineActions } from '../../src-renderer/machines/machineActions.ts';
import { registerNotificationActions } from '../../src-renderer/notifications/notificationActions.ts';
import { registerSplitActions } from '../../src-renderer/panes/splitActions.ts';
import { registerReplayActions } from '../../src-renderer/replay/replayActions.ts';
import { registerSavedActions } from '../../src-renderer/savedCommands/savedActions.ts';
import { registerNewAgentAction } from '../../src-renderer/tabs/newAgent.ts';
import { registerRecordingActions } from '../../src-renderer/tabs/recordingActions.ts';
import { registerTabActions } from '../../src-renderer/tabs/tabActions.ts';
import { registerWindowActions } from '../../src-renderer/windows/windowActions.ts';
import { ROOT, sourceFiles } from '../support/sourceFiles.ts';

// `npm run docs:reference` writes these pages; otherwise this test compares them.

const reference = (name: string): string => join(ROOT, 'docs/reference', name);
/** Part of the failure message when a page differs. */
const OUTDATED = 'run `npm run docs:reference`';
const NOTE = '<!-- Made by `npm run docs:reference`. Do not edit. -->';

test('docs/reference/settings.md lists the settings of the schema', async () => {
  const { properties = {} } = z.toJSONSchema(Settings, { io: 'input' });
  const rows = Object.entries(properties).map(([key, schema]) => {
    if (typeof schema === 'boolean') throw new Error(`${key} has no schema`);
    const { description, default: preset } = schema;
    expect(description, `${key} needs .describe(…) in src-main/contract/settings.ts`).toBeTruthy();
    return `| \`${key}\` | ${valuesOf(schema as Values)} | \`${JSON.stringify(preset)}\` | ${cell(description ?? '')} |`;
  });
  await expect(
    page('Settings', [
      'Settings are in `settings.json` of the data folder ([record format](record-format.md)). The settings page of the window (Ctrl+, or Cmd+,) edits the same file. Unknown keys are kept and ignored.',
      ['| key | values | default | meaning |', '|---|---|---|---|', ...rows].join('\n'),
    ]),
  ).toMatchFileSnapshot(reference('settings.md'), OUTDATED);
});

interface Values {
  enum?: unknown[];
  const?: unknown;
  type?: string;
  minimum?: number;
  maximum?: number;
}

function valuesOf({ enum: choices, const: only, type = '', minimum, maximum }: Values): string {
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (choices) return choices.map((choice) => `\`${JSON.stringify(choice)}\``).join(' ');
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (minimum === undefined && !isBounded) return type;
  return isBounded ? `${type}, ${minimum} to ${maximum}` : `${type} from ${minimum}`;
}

test('docs/reference/keys.md lists every action of the window with its keys', async () => {
  const groups = new Map<string, string[]>();
  for (const { group, title, id, keys = '' } of windowActions()) {
    const shown = (platform: 'linux' | 'darwin') =>
      parseChords(keys, platform)
        .map((chord) => `<kbd>${showChord(chord, platform).replace('|', '\\|')}</kbd>`)
        .join(' ');
    const row = `| ${cell(title)} | ${shown('linux')} | ${shown('darwin')} | \`${id}\` |`;
    groups.set(group, [...(groups.get(group) ?? []), row]);
  }
  const tables = [...groups].flatMap(([group, rows]) => [
    `## ${group}`,
    ['| action | Linux | macOS | id |', '|---|---|---|---|', ...rows].join('\n'),
  ]);
  await expect(
    page('Keys', [
      'Each action is also in the command palette. Change its keys under "Shortcuts" in the settings, or in `keys` of [settings.json](settings.md) by the id. Single keys of cards work in card mode only (F6). Some keys never reach a page in a browser; then the next one of the row works.',
      ...tables,
    ]),
  ).toMatchFileSnapshot(reference('keys.md'), OUTDATED);
});

/** All actions of the window, from the functions that register them. No action runs, so the state is a dummy. */
function windowActions() {
  const palette = new Actions();
  const anything: unknown = new Proxy(() => anything, {
    get: (_, name) => (name === 'palette' ? palette : name === 'shells' ? [] : anything),
  });
  const register: ((state: never, more: never) => unknown)[] = [
    registerTabActions,
    registerSplitActions,
    registerFrameActions,
    registerPaneActions,
    registerBlockActions,
    registerConversationActions,
    registerChangesActions,
    registerChatActions,
    registerAuditActions,
    registerReplayActions,
    registerNotificationActions,
    registerAgentActions,
    registerStartActions,
    registerHistoryActions,
    registerNewAgentAction,
    registerWindowActions,
    registerRecordingActions,
    registerSavedActions,
    registerMachineActions,
  ];
  for (const one of register) one(anything as never, { id: null } as never);
  const calls = sourceFiles('src-renderer', ['.ts', '.svelte']).flatMap(({ path, text }) =>
    /palette\.register\(/.test(text) || /\bregister\(\s*\{/.test(text) ? [path] : [],
  );
  expect(calls.length, `add the missing one of ${calls.join(', ')} to \`register\` above`).toBe(register.length);
  return palette.all;
}

test('docs/reference/commands.md has the help of every command', async () => {
  const program = await buildProgram('');
  const sections = [program, ...program.commands].flatMap((command) => {
    const visible = command.createHelp().visibleCommands(command);
    return [command, ...(command === program ? [] : visible)].filter((one) => one.name() !== 'help');
  });
  const blocks = sections.map((command) => {
    command.configureHelp({ helpWidth: 110 });
    const help = `${command.helpInformation().trim()}\n\n${textAfterHelp(command)}`.trim();
    const [, name = ''] = /^Usage: (.+?)(?: \[| <|\n|$)/.exec(help) ?? [];
    return `## ${name}\n\n\`\`\`text\n${help}\n\`\`\``;
  });
  await expect(
    page('Commands', [
      'What `--help` prints. The [guide](../guide/command-line.md) explains the common ones.',
      ...blocks,
    ]),
  ).toMatchFileSnapshot(reference('commands.md'), OUTDATED);
});

function page(title: string, parts: readonly string[]): string {
  return `${[`# ${title}`, NOTE, ...parts].join('\n\n')}\n`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
