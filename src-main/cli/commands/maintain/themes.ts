import { open } from 'node:fs/promises';
import { Command } from 'commander';
import type { ListedTheme } from '../../../contract/window/theme.ts';
import { MAX_THEME_CHARS } from '../../../contract/window/themeLimits.ts';
import { ThemeStore } from '../../../themes/ThemeStore.ts';
import { escapeLine } from '../../../util/escapeControls.ts';
import { CliError, EXIT } from '../../print/exitCodes.ts';
import { helpText } from '../../print/help.ts';
import { outputColumns, printJson, printLines } from '../../print/output.ts';
import { type Column, formatTable } from '../../print/table.ts';
import { currentDataFolder } from '../../record/RecordReader.ts';

export function addThemes(program: Command): void {
  const themes = program
    .command('themes')
    .description('List and import colour themes')
    .addHelpText('after', helpText({ notes: NOTES, examples: EXAMPLES, exits: EXITS }));
  themes.addCommand(listCommand());
  themes.addCommand(importCommand());
}

const EXITS = ['ok', 'usage', 'dataErr', 'noInput', 'software', 'ioError'] as const;
const NOTES = [
  'A theme is chosen in the settings of the window, one for dark and one for light.',
  "Imported themes are JSON files in the data folder's themes/; delete a file to remove its theme.",
];
const EXAMPLES = [
  ['hansard themes ls', 'list built-in and imported themes'],
  ['hansard themes import Harbour.itermcolors', 'import a theme of iTerm2'],
] as const;

function listCommand(): Command {
  return new Command('ls')
    .description('List themes')
    .option('--json', 'one JSON document: {version, themes}')
    .addHelpText('after', helpText({ examples: EXAMPLES.slice(0, 1), exits: EXITS }))
    .action(async (options: { json?: boolean }) => {
      const themes = await new ThemeStore(currentDataFolder()).list();
      if (options.json) await printJson({ version: 1, themes });
      else await printLines(formatTable(COLUMNS, themes, outputColumns()));
    });
}

function importCommand(): Command {
  return new Command('import')
    .description('Import a theme of iTerm2, Windows Terminal, Ghostty, Alacritty or base16')
    .argument('<file>', 'a .itermcolors, .json, .toml, .yml or .yaml file, or a theme of Ghostty')
    .option('--json', 'one JSON document: {version, theme, replaced}')
    .addHelpText('after', helpText({ examples: EXAMPLES.slice(1), exits: EXITS }))
    .action(importTheme);
}

const COLUMNS: readonly Column<ListedTheme>[] = [
  { title: 'THEME', text: ({ id }) => id },
  { title: 'KIND', text: ({ kind }) => kind },
  { title: 'NAME', text: ({ name }) => escapeLine(name) },
  { title: 'FROM', text: ({ credit, isImported }) => (isImported ? 'imported' : credit) },
];

async function importTheme(file: string, options: { json?: boolean }): Promise<void> {
  const done = await new ThemeStore(currentDataFolder()).importFile(file, await readText(file));
  if (!done.ok) throw new CliError(`${file} was not imported. ${done.reason}`, EXIT.dataErr);
  const { theme, replaced } = done;
  if (options.json) return printJson({ version: 1, theme, replaced });
  await printLines([
    `${replaced ? 'Replaced' : 'Imported'} ${theme.kind} theme "${escapeLine(theme.name)}" as ${theme.id}. Choose it in the settings of the window.`,
  ]);
}

/** Reads at most one byte more than allowed, because the file may be anything. */
async function readText(file: string): Promise<string> {
  try {
    await using handle = await open(file, 'r');
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_THEME_CHARS + 1));
    if (bytesRead <= MAX_THEME_CHARS) return buffer.toString('utf8', 0, bytesRead);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new CliError(`${file} cannot be read: ${reason}.`, EXIT.noInput);
  }
  throw new CliError(
    `${file} is larger than ${MAX_THEME_CHARS / 1024} KB and no theme. Name a theme file.`,
    EXIT.dataErr,
  );
}
