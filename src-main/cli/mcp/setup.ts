import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Profile } from '../../contract/mcp/mcpWire.ts';
import { findAppFiles } from '../../hosts/appFiles.ts';
import { changeSetup, type SetupChange } from '../../mcp/setup/changeSetup.ts';
import { SETUP_CLIENTS } from '../../mcp/setup/clients/all.ts';
import type { ServerCommand, SetupClient, SetupPlace } from '../../mcp/setup/SetupClient.ts';
import { escapeLine } from '../../util/escapeControls.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { helpText } from '../print/help.ts';
import { printJson, printLines } from '../print/output.ts';
import { type BridgeOptions, bridgeHome } from './bridge.ts';
import { channelOption, profileOption } from './mcpOptions.ts';

interface SetupOptions {
  profile: Profile;
  home?: string;
  channel?: boolean;
  dryRun?: boolean;
  uninstall?: boolean;
  json?: boolean;
}

const NAMES = SETUP_CLIENTS.map(({ name }) => name);

export function addMcpSetup(mcp: Command): void {
  mcp
    .command('setup')
    .description(`Add Hansard to the configuration of an MCP client: ${NAMES.join(', ')}`)
    .argument('<client>')
    .addOption(profileOption())
    .addOption(channelOption())
    .option('--home <dir>', 'data folder of the Hansard to connect to (default: see Environment in `hansard --help`)')
    .option('-n, --dry-run', 'show what would change, and change nothing')
    .option('--uninstall', 'remove the entry')
    .option('--json', 'one JSON document: {version, dryRun, changed, file, backup, diff, remark}')
    .addHelpText('after', helpText({ notes: NOTES, examples: EXAMPLES, exits: EXITS }))
    .action(setup);
}

const EXITS = ['ok', 'usage', 'noInput', 'unavailable', 'software', 'ioError'] as const;
const NOTES = [
  "Only Hansard's entry in the client's file changes; comments and other entries stay. A copy of the old file is kept beside it as",
  '.hansard-mcp.bak. This command grants no rights: without policy.json a client may read and may not act.',
];
const EXAMPLES = [
  [`hansard mcp setup ${NAMES[0]} --dry-run`, 'what would change'],
  [`hansard mcp setup ${NAMES[0]} --profile observe`, 'list only the tools that read'],
  [`hansard mcp setup ${NAMES[0]} --channel`, 'announce watches in its sessions'],
  [`hansard mcp setup ${NAMES[0]} --uninstall`, 'remove the entry'],
] as const;

async function setup(name: string, options: SetupOptions, command: Command): Promise<void> {
  const client = SETUP_CLIENTS.find((one) => one.name === name);
  if (!client) throw new CliError(`unknown client "${name}". Known clients: ${NAMES.join(', ')}.`, EXIT.usage);
  // the bridge itself has options of these names, and parses them when they come before `setup`
  const {
    uninstall = false,
    dryRun = false,
    channel = false,
    json,
    profile,
    home,
  } = command.optsWithGlobals<SetupOptions>();
  if (channel && client.channelRemark === undefined)
    throw new CliError(
      `${client.title} does not support channels. Leave --channel out; watches report to its inbox.`,
      EXIT.usage,
    );
  const bridge = { profile, home: bridgeHome(home ?? options.home, process.env), hasChannel: channel };
  const server = uninstall ? null : serverCommand(bridge);
  const done = await changeSetup(client, setupPlace(), { command: server, isDryRun: dryRun });
  if (!done.ok) throw new CliError(`${done.file} is unchanged: ${done.reason}.`, EXIT.noInput);
  const { isChanged, file, backup, diff } = done;
  const remark = [client.remark, ...(channel ? [client.channelRemark] : [])].join(' ');
  if (json) return printJson({ version: 1, dryRun, changed: isChanged, file, backup, diff, remark });
  await printLines(told(client, { done, remark, uninstall, dryRun }));
}

/** Folders in which this person's clients keep their configurations. */
export function setupPlace(): SetupPlace {
  return { home: homedir(), platform: process.platform, env: process.env };
}

/** The command that starts the bridge of this installation, with absolute paths. */
export function serverCommand({ profile, home, hasChannel }: BridgeOptions): ServerCommand {
  const { root, cli } = findAppFiles();
  const script = cli.endsWith('.ts') ? cli : join(root, 'resources/bin/hansard.mjs');
  const options = [
    ...(profile === 'standard' ? [] : ['--profile', profile]),
    ...(hasChannel ? ['--channel'] : []),
    ...(home === null ? [] : ['--home', home]),
  ];
  return { command: process.execPath, args: [script, 'mcp', ...options] };
}

interface Told {
  readonly done: SetupChange & { ok: true };
  readonly remark: string;
  readonly uninstall: boolean;
  readonly dryRun: boolean;
}

function told({ title }: SetupClient, { done, remark, uninstall, dryRun }: Told): string[] {
  const file = escapeLine(done.file);
  if (!done.isChanged)
    return [`Nothing to do: ${file} ${uninstall ? 'has no entry of ours' : 'has our entry already'}.`];
  const what = uninstall ? `Hansard is taken out of ${file}.` : `Hansard is an MCP server of ${title} now, in ${file}.`;
  if (dryRun) return [`Dry run: ${what}`, ...done.diff.map(escapeLine)];
  return [
    what,
    ...(done.backup === null ? [] : [`Old file: ${escapeLine(done.backup)}`]),
    ...(uninstall ? [] : [remark]),
  ];
}
