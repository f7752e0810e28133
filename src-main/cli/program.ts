import { type Argument, Command } from 'commander';
import { escapeText } from '../util/escapeControls.ts';
import { helpText } from './print/help.ts';

const NOTES = [
  'Environment:',
  "  HANSARD_HOME  folder of the record (default: hansard in the platform's data folder)",
  '  NO_COLOR      disable colours; output that is not a terminal never has any',
];
const EXAMPLES = [
  ['hansard', 'open Hansard'],
  ['hansard ~/project', 'open Hansard with a terminal in that folder'],
  ['hansard block last | head', 'print what the last command printed'],
  ['hansard doctor', 'diagnose problems and suggest fixes'],
] as const;

/** Declares one command. */
type Add = (program: Command) => void;

/**
 * Headings of the help, in the order in which a newcomer needs them, and the commands below each. A command's file is loaded when it is
 * called, because to load all of them takes three times as long as Node itself.
 */
const GROUPS: readonly (readonly [string, Readonly<Record<string, () => Promise<Add>>>])[] = [
  [
    'Use',
    {
      open: async () => (await import('./commands/open.ts')).addOpen,
      serve: async () => (await import('./commands/serve.ts')).addServe,
      attach: async () => (await import('./commands/attach.ts')).addAttach,
      wait: async () => (await import('./commands/wait.ts')).addWait,
      commands: async () => (await import('./commands/commands.ts')).addCommands,
    },
  ],
  [
    'Read',
    {
      ls: async () => (await import('./commands/ls.ts')).addLs,
      blocks: async () => (await import('./commands/blocks.ts')).addBlocks,
      block: async () => (await import('./commands/block.ts')).addBlock,
      screen: async () => (await import('./commands/screen.ts')).addScreen,
      search: async () => (await import('./commands/search.ts')).addSearch,
    },
  ],
  [
    'Record',
    {
      record: async () => (await import('./commands/record.ts')).addRecord,
      import: async () => (await import('./commands/import.ts')).addImport,
      export: async () => (await import('./commands/export.ts')).addExport,
    },
  ],
  [
    'Agents',
    {
      agents: async () => (await import('./commands/agents.ts')).addAgents,
      chats: async () => (await import('./commands/chats.ts')).addChats,
      chat: async () => (await import('./commands/chat.ts')).addChat,
      changes: async () => (await import('./changes/changesCommand.ts')).addChanges,
      hooks: async () => (await import('./commands/hooks.ts')).addHooks,
      mcp: async () => (await import('./commands/mcp.ts')).addMcp,
      usage: async () => (await import('./past/usage.ts')).addUsage,
      approvals: async () => (await import('./commands/approvals.ts')).addApprovals,
      audit: async () => (await import('./commands/audit.ts')).addAudit,
    },
  ],
  [
    'Maintain',
    {
      doctor: async () => (await import('./commands/maintain/doctor.ts')).addDoctor,
      prune: async () => (await import('./commands/maintain/prune.ts')).addPrune,
      telemetry: async () => (await import('./telemetry/telemetry.ts')).addTelemetry,
      themes: async () => (await import('./commands/maintain/themes.ts')).addThemes,
      completions: async () => (await import('./commands/maintain/completions.ts')).addCompletions,
    },
  ],
];

/** The command that runs when the words name no other. */
const DEFAULT = 'open';
/** Commands that need all the others. */
const ABOUT_ALL = ['help', 'completions'];
const HELP = ['-h', '--help'];
const VERSION = ['-V', '--version'];

/** What the general help says of a command. */
export interface ListedCommand {
  name: string;
  /** As the help shows them: `[terminal]`. */
  arguments: string;
  hasOptions: boolean;
  summary: string;
}

/** Every command with its options and help: what completions, man page and reference are made from. */
export async function buildProgram(version: string): Promise<Command> {
  const program = bareProgram(version);
  for (const [group, commands] of GROUPS) {
    program.commandsGroup(`${group}:`);
    for (const load of Object.values(commands)) (await load())(program);
  }
  return withHelpCommand(program);
}

/**
 * The program for `words` (what follows `hansard`), with as little loaded as they need; it does with them what the whole program would.
 * `readList` returns what `listCommands` made when Hansard was built, or null in the sources.
 */
export async function programFor(
  version: string,
  words: readonly string[],
  readList: () => readonly ListedCommand[] | null,
): Promise<Command> {
  const [first = DEFAULT] = words;
  if (VERSION.includes(first)) return bareProgram(version);
  if (HELP.includes(first) && words.length === 1) {
    const list = readList();
    return list ? listedProgram(version, list) : buildProgram(version);
  }
  const load = ABOUT_ALL.includes(first) ? undefined : loaderOf(first);
  if (!load) return buildProgram(version);
  const program = bareProgram(version);
  (await load())(program);
  return withHelpCommand(program);
}

/** What `listedProgram` needs of the whole program to print its help. */
export function listCommands(program: Command): ListedCommand[] {
  const visible = program.createHelp().visibleCommands(program);
  return visible.map((command) => ({
    name: command.name(),
    arguments: command.registeredArguments.map((argument) => argumentTerm(argument)).join(' '),
    hasOptions: command.options.length > 0,
    summary: command.description(),
  }));
}

/** A program that can print its help and nothing else. */
export function listedProgram(version: string, list: readonly ListedCommand[]): Command {
  const program = bareProgram(version);
  for (const [group, commands] of GROUPS) {
    program.commandsGroup(`${group}:`);
    for (const { name, arguments: names, hasOptions, summary } of list.filter((one) => one.name in commands)) {
      const command = program.command(name, { isDefault: name === DEFAULT }).description(summary);
      if (names !== '') command.arguments(names);
      if (hasOptions) command.option('--any');
    }
  }
  return withHelpCommand(program);
}

function loaderOf(name: string): (() => Promise<Add>) | undefined {
  return GROUPS.map(([, commands]) => commands).find((commands) => Object.hasOwn(commands, name))?.[name];
}

function argumentTerm(argument: Argument): string {
  const text = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${text}>` : `[${text}]`;
}

function bareProgram(version: string): Command {
  return new Command('hansard')
    .description('A terminal that keeps the official record of people and coding agents at work.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .configureOutput({ outputError: (text, write) => write(escapeText(text).replace(/^error: /, 'hansard: ')) })
    .showHelpAfterError('(see `--help`)')
    .addHelpText(
      'after',
      helpText({
        notes: NOTES,
        examples: EXAMPLES,
        exits: ['ok', 'negative', 'usage', 'noInput', 'unavailable', 'software', 'ioError'],
      }),
    )
    .exitOverride();
}

function withHelpCommand(program: Command): Command {
  return program.helpCommand('help [command]', 'Print help for a command');
}
