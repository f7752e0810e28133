import type { Command } from 'commander';
import { leftShells } from '../background/leftShells.ts';
import { count, formatTime } from '../print/formatFigures.ts';
import { helpText } from '../print/help.ts';
import { colour, outputColumns, printJson, printLines, remark } from '../print/output.ts';
import { type Column, formatTable } from '../print/table.ts';
import { RecordReader } from '../record/RecordReader.ts';
import type { TerminalRow } from '../record/TerminalRow.ts';

export function addLs(program: Command): void {
  program
    .command('ls')
    .description('List terminals')
    .option('-a, --all', 'also list closed terminals')
    .option('--json', 'one JSON document: {version, core, terminals}')
    .addHelpText(
      'after',
      helpText({
        notes: NOTES,
        examples: EXAMPLES,
        exits: ['ok', 'usage', 'dataErr', 'noInput', 'unavailable', 'software', 'ioError'],
      }),
    )
    .action(list);
}

const NOTES = [
  'States: live (the shell runs), exited (the shell exited), saved (Hansard restores it at its next start),',
  'recording (`hansard record` writes it), closed (in no tab; with --all).',
];
const EXAMPLES = [
  ['hansard ls', 'list terminals in tabs'],
  ['hansard ls --all --json', 'print all of them as JSON'],
] as const;

async function list(options: { all?: boolean; json?: boolean }): Promise<void> {
  const record = await RecordReader.open();
  try {
    const all = await record.listed();
    const shown = await record.rows(all.filter(({ state }) => options.all || state !== 'closed'));
    if (record.silence) remark(record.silence);
    if (options.json)
      return await printJson({ version: 1, core: record.core && { pid: record.core.pid }, terminals: shown });
    if (shown.length > 0) await printLines(formatTable(COLUMNS, shown, outputColumns()));
    else remark(`no terminal is open in ${record.dataFolder}. \`hansard\` opens one.`);
    if (!record.core && !record.silence) {
      const left = await leftShells(record.dataFolder);
      if (left) remark(`Hansard is not running.${left}`);
    }
    const hidden = all.length - shown.length;
    if (hidden > 0) remark(`${count(hidden, 'closed terminal')} not shown: \`hansard ls --all\``);
  } finally {
    record.dispose();
  }
}

const COLUMNS: readonly Column<TerminalRow>[] = [
  { title: 'TERMINAL', text: ({ id }) => id },
  { title: 'STATE', text: stateText, look: (cell, { state }) => colour(state === 'live' ? 'green' : 'dim', cell) },
  { title: 'SHELL', text: ({ shell }) => shell || '?' },
  { title: 'MARKS', text: ({ integration }) => integration?.level ?? '-', look: marksLook },
  { title: 'USED', text: ({ usedMs }) => formatTime(usedMs) },
  { title: 'NAME', text: ({ name, title }) => name ?? (title || '-') },
  { title: 'FOLDER', text: ({ cwd, gitBranch }) => (gitBranch ? `${cwd} (${gitBranch})` : cwd) },
];

function stateText({ state, runningBlockId, exitCode, signal }: TerminalRow): string {
  if (state === 'live') return runningBlockId ? `live, runs ${runningBlockId}` : 'live';
  if (state !== 'exited') return state;
  return `exited ${signal ?? exitCode ?? ''}`.trimEnd();
}

function marksLook(cell: string, { integration }: TerminalRow): string {
  return integration && integration.level !== 'rich' && integration.level !== 'unknown' ? colour('yellow', cell) : cell;
}
