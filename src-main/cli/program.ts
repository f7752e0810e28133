import type { Argument, Command } from 'commander';
import { bareProgram, type ListedCommand, withHelpCommand } from './bareProgram.ts';

/** Declares one command. */
type Add = (program: Command) => void;

/**
 * Headings of the help, in the order for a newcomer, and their commands. The file of a command is loaded when it is called, because loading all of
 * them takes three times as long as Node itself.
 */
const GROUPS: readonly (readonly [string, Readonly<Record<string, () => Promise<Add>>>])[] = [
  [
    'Use',
    {
      open: async () => (await import('./commands/open.ts')).addOpen,
      serve: async () => (await import('./commands/serve.ts')).addServe,
      attach: async () => (await import('./commands/attach.ts')).addAttach,
      ssh: async () => (await import('./machines/ssh.ts')).addSsh,
      hosts: async () => (await import('./machines/hosts.ts')).addHosts,
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

/** Commands that need all others. */
const ABOUT_ALL = ['help', 'completions'];

/** Every command with its options and help: the source of completions, man page and reference. */
export async function buildProgram(version: string): Promise<Command> {
  const program = bareProgram(version);
  for (const [group, commands] of GROUPS) {
    program.commandsGroup(`${group}:`);
    for (const load of Object.values(commands)) (await load())(program);
  }
  return withHelpCommand(program);
}

/** The program for `words` (the arguments of `hansard`), with only the modules that they need; it handles them like the whole program. */
export async function programFor(version: string, [first = '']: readonly string[]): Promise<Command> {
  const load = ABOUT_ALL.includes(first) ? undefined : loaderOf(first);
  if (!load) return buildProgram(version);
  const program = bareProgram(version);
  (await load())(program);
  return withHelpCommand(program);
}

/** What `listedProgram` needs of the whole program. */
export function listCommands(program: Command): ListedCommand[] {
  const visible = program.createHelp().visibleCommands(program);
  return visible.flatMap((command) => {
    const group = GROUPS.find(([, commands]) => Object.hasOwn(commands, command.name()))?.[0];
    return group === undefined ? [] : [listed(group, command)];
  });
}

function listed(group: string, command: Command): ListedCommand {
  return {
    group,
    name: command.name(),
    arguments: command.registeredArguments.map((argument) => argumentTerm(argument)).join(' '),
    hasOptions: command.options.length > 0,
    summary: command.description(),
  };
}

function loaderOf(name: string): (() => Promise<Add>) | undefined {
  return GROUPS.map(([, commands]) => commands).find((commands) => Object.hasOwn(commands, name))?.[name];
}

function argumentTerm(argument: Argument): string {
  const text = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${text}>` : `[${text}]`;
}
