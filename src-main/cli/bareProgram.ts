import { Command } from 'commander';
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

/** Entry of a command in the general help. */
export interface ListedCommand {
  /** Heading of the command. */
  group: string;
  name: string;
  /** As in the help: `[terminal]`. */
  arguments: string;
  hasOptions: boolean;
  summary: string;
}

/** A program that can only print its help. `list`: every command, in the order of the help. */
export function listedProgram(version: string, list: readonly ListedCommand[]): Command {
  const program = bareProgram(version);
  for (const { group, name, arguments: names, hasOptions, summary } of list) {
    const command = program.commandsGroup(`${group}:`).command(name).description(summary);
    if (names !== '') command.arguments(names);
    if (hasOptions) command.option('--any');
  }
  return withHelpCommand(program);
}

/** The program without its commands. */
export function bareProgram(version: string): Command {
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

/** Call after all commands were added, because it completes the list. */
export function withHelpCommand(program: Command): Command {
  return program.helpCommand('help [command]', 'Print help for a command');
}
