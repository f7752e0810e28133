import type { EventEmitter } from 'node:events';
import type { Command } from 'commander';

/** hansard(1) in roff, generated from the commands and their help, so that it matches `--help`. */
export function manPage(program: Command, version: string): string {
  const help = program.createHelp();
  const groups = new Map<string, Command[]>();
  for (const command of help.visibleCommands(program)) {
    if (command.name() === 'help') continue;
    const group = command.helpGroup().replace(/:$/, '');
    groups.set(group, [...(groups.get(group) ?? []), command]);
  }
  const commands = [...groups].flatMap(([group, list]) => [
    `.SS ${roff(group)}`,
    ...list.flatMap((command) => [command, ...help.visibleCommands(command)]).flatMap(commandLines),
  ]);
  return `${[
    `.TH HANSARD 1 "" "hansard ${roff(version)}" "User Commands"`,
    '.SH NAME',
    'hansard \\- a terminal that keeps the record of people and coding agents at work',
    '.SH SYNOPSIS',
    '.B hansard',
    '[\\fIcommand\\fR] [\\fIoptions\\fR]',
    '.SH DESCRIPTION',
    roff(program.description()),
    'Without a command,',
    '.B hansard',
    'opens the window.',
    '.SH COMMANDS',
    ...commands,
    '.SH NOTES',
    ...preformatted(textAfterHelp(program)),
  ].join('\n')}\n`;
}

function commandLines(command: Command): string[] {
  const help = command.createHelp();
  const options = help
    .visibleOptions(command)
    .flatMap((option) => ['.TP', `\\fB${roff(help.optionTerm(option))}\\fR`, roff(help.optionDescription(option))]);
  return [
    '.PP',
    `\\fB${roff(help.commandUsage(command).split('\n')[0] ?? '')}\\fR`,
    '.RS 4',
    `${roff(command.description())}.`,
    ...options,
    ...preformatted(textAfterHelp(command)),
    '.RE',
  ];
}

/** Notes, examples and exit codes: what `--help` prints below the options. */
export function textAfterHelp(command: Command): string {
  let text = '';
  (command as unknown as EventEmitter).emit('afterHelp', {
    error: false,
    command,
    write: (part: string) => {
      text += part;
    },
  });
  return text.trim();
}

function preformatted(text: string): string[] {
  return text === '' ? [] : ['.PP', '.nf', ...text.split('\n').map(roff), '.fi'];
}

/** Escapes text for roff, in which a backslash, a hyphen and a leading dot or quote have a meaning. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1');
}
