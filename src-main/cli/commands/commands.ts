import { Command } from 'commander';
import type { CommandsImport, SavedCommand } from '../../contract/savedCommand.ts';
import { SavedCommand as SavedCommandSchema } from '../../contract/savedCommand.ts';
import { SavedCommands } from '../../savedCommands/SavedCommands.ts';
import { escapeLine } from '../../util/escapeControls.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { count } from '../print/formatFigures.ts';
import { helpText } from '../print/help.ts';
import { outputColumns, printJson, printLines, remark } from '../print/output.ts';
import { type Column, formatTable } from '../print/table.ts';
import { currentDataFolder } from '../record/RecordReader.ts';
import { readCommandFiles } from '../saved/readCommandFiles.ts';

export function addCommands(program: Command): void {
  const commands = program
    .command('commands')
    .description('Manage saved commands')
    .addHelpText('after', helpText({ notes: NOTES, examples: EXAMPLES, exits: EXITS }));
  commands.addCommand(listCommand());
  commands.addCommand(addCommand());
  commands.addCommand(removeCommand());
  commands.addCommand(importCommand());
}

const EXITS = ['ok', 'negative', 'usage', 'dataErr', 'noInput', 'software', 'ioError'] as const;
const NOTES = [
  'Type / in an empty composer to find a saved command. {{name}} and {{name:default}} are placeholders.',
  'The list is commands.json in the data folder. You may edit it.',
];
const EXAMPLES = [
  ['hansard commands ls', 'list saved commands'],
  ["hansard commands add 'Tail a log' 'tail -f {{file:app.log}}'", 'save a command with a placeholder'],
  ["hansard commands rm 'Tail a log'", 'remove it'],
  ['hansard commands import ~/.warp/workflows', 'import all workflows of Warp in a folder'],
] as const;

function listCommand(): Command {
  return new Command('ls')
    .description('List saved commands')
    .option('--json', 'one JSON document: {version, commands}')
    .addHelpText('after', helpText({ examples: EXAMPLES.slice(0, 1), exits: EXITS }))
    .action(async (options: { json?: boolean }) => {
      const { commands, problem } = await saved().list(null);
      if (problem !== null) throw new CliError(`${problem} Correct the file in an editor.`, EXIT.dataErr);
      if (options.json) await printJson({ version: 1, commands });
      else await printLines(formatTable(COLUMNS, commands, outputColumns()));
    });
}

const COLUMNS: readonly Column<SavedCommand>[] = [
  { title: 'NAME', text: ({ name }) => escapeLine(name) },
  { title: 'COMMAND', text: ({ command }) => escapeLine(command.replaceAll('\n', ' ↵ ')) },
  { title: 'TAGS', text: ({ tags }) => escapeLine((tags ?? []).join(', ')) },
];

function addCommand(): Command {
  return new Command('add')
    .description('Save a command')
    .argument('<name>', 'what you look for')
    .argument('<command>', 'the command, in one argument; {{name}} is a placeholder')
    .option('-d, --description <text>', 'what it does')
    .option('-t, --tag <tag...>', 'more words to find it by')
    .option('--replace', 'replace the command that has this name')
    .addHelpText('after', helpText({ examples: EXAMPLES.slice(1, 2), exits: EXITS }))
    .action(add);
}

interface AddOptions {
  description?: string;
  tag?: string[];
  replace?: boolean;
}

async function add(name: string, command: string, { description, tag, replace }: AddOptions): Promise<void> {
  const given = { name, command, ...(description && { description }), ...(tag && { tags: tag }) };
  const parsed = SavedCommandSchema.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new CliError(`not saved: ${issue?.path.join('.')}: ${issue?.message}.`, EXIT.usage);
  }
  const list = saved();
  const verdict = await whenUsable(list.save(parsed.data, null));
  if (verdict.ok) return printLines([`Saved "${escapeLine(name)}".`]);
  if (!verdict.isTaken || !replace)
    throw new CliError(`not saved: ${verdict.reason} Use another name or --replace.`, EXIT.negative);
  await whenUsable(list.save(parsed.data, name));
  await printLines([`Replaced "${escapeLine(name)}".`]);
}

function removeCommand(): Command {
  return new Command('rm')
    .description('Remove a saved command')
    .argument('<name>', 'its whole name, as `hansard commands ls` prints it')
    .addHelpText('after', helpText({ examples: EXAMPLES.slice(2, 3), exits: EXITS }))
    .action(async (name: string) => {
      const removed = await whenUsable(saved().remove(name));
      if (!removed) throw new CliError(`no command is called "${name}". List them: hansard commands ls`, EXIT.noInput);
      await printLines([`Removed "${escapeLine(name)}": ${escapeLine(removed.command.command)}`]);
    });
}

function importCommand(): Command {
  return new Command('import')
    .description('Import workflows of Warp')
    .argument('<path...>', 'a .yaml file of Warp, a .json file of Hansard, or a folder of them')
    .option('--replace', 'replace saved commands of the same name')
    .option('--json', 'one JSON document: {version, added, replaced, same, kept, refused}')
    .addHelpText('after', helpText({ examples: EXAMPLES.slice(3), exits: EXITS }))
    .action(async (paths: string[], options: { replace?: boolean; json?: boolean }) => {
      const files = await readCommandFiles(paths);
      const done = await whenUsable(saved().importFiles(files, { replace: options.replace ?? false }));
      if (options.json) await printJson({ version: 1, ...done });
      else await printLines(reportOf(done));
      for (const { file, reason } of done.refused) remark(`${file} was not imported. ${reason}`);
      if (done.refused.length > 0) process.exitCode = EXIT.dataErr;
    });
}

function reportOf({ added, replaced, same, kept }: CommandsImport): string[] {
  const changed = replaced.length > 0 ? [`Replaced ${count(replaced.length, 'command')}.`] : [];
  const unchanged = same.length > 0 ? [`${count(same.length, 'command')} saved already.`] : [];
  const skipped = kept.map((name) => `Kept your own "${escapeLine(name)}". Use --replace to replace it.`);
  return [`Imported ${count(added.length, 'command')}.`, ...changed, ...unchanged, ...skipped];
}

function saved(): SavedCommands {
  return new SavedCommands(currentDataFolder());
}

/** A list with an error is not changed: the person has to correct it, and it is not a bug. */
async function whenUsable<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (thrown) {
    throw new CliError(thrown instanceof Error ? `${thrown.message}.` : String(thrown), EXIT.dataErr);
  }
}
