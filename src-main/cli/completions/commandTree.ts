import type { Command, Option } from 'commander';

/** One command as a shell completes it. */
export interface CommandNode {
  /** Words after `hansard`, each with a space before it: '' is hansard itself, ' serve start' a subcommand. */
  path: string;
  summary: string;
  options: readonly OptionNode[];
  commands: readonly CommandNode[];
  /** Fixed values of the first argument. */
  values: readonly string[];
  takesFile: boolean;
}

export interface OptionNode {
  /** `--format`, and `-f` if there is a short form. */
  long: string;
  short: string | undefined;
  summary: string;
  /** Fixed values; empty for any value. */
  values: readonly string[];
  takes: 'nothing' | 'file' | 'value';
}

const FILE_ARGUMENT = /^(?:file|dir|folder)$/;

/** What people can type, without hidden commands and options. */
export function commandTree(command: Command, path = ''): CommandNode {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((one) => one.name() !== 'help' || path === '');
  const [first] = command.registeredArguments;
  return {
    path,
    summary: command.description(),
    options: help.visibleOptions(command).map(optionNode),
    commands: commands.map((one) => commandTree(one, `${path} ${one.name()}`)),
    values: first?.argChoices ?? [],
    takesFile: first !== undefined && FILE_ARGUMENT.test(first.name()),
  };
}

/** The command and all below it. */
export function allCommands(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(allCommands)];
}

function optionNode(option: Option): OptionNode {
  const isFile = /<(?:file|dir|folder)>/.test(option.flags);
  return {
    long: option.long ?? '',
    short: option.short,
    summary: option.description,
    values: option.argChoices ?? [],
    takes: isFile ? 'file' : option.required ? 'value' : 'nothing',
  };
}
