import type { Command } from 'commander';
import type { Block } from '../../contract/block.ts';
import { formatDuration, formatTime } from '../print/formatFigures.ts';
import { helpText } from '../print/help.ts';
import { parseCount } from '../print/options.ts';
import { colour, outputColumns, printJson, printLines, remark } from '../print/output.ts';
import { type Column, formatTable } from '../print/table.ts';
import { findTerminal, newestBlocks } from '../record/findBlocks.ts';
import { RecordReader } from '../record/RecordReader.ts';

const DEFAULT_LAST = 20;

export function addBlocks(program: Command): void {
  program
    .command('blocks')
    .description('List blocks: commands with their exit codes')
    .argument('[terminal]', 'id of a terminal, the start of one, or `last`; default: all terminals')
    .option('-n, --last <n>', 'number of newest blocks', parseCount, DEFAULT_LAST)
    .option('--json', 'one JSON document: {version, core, blocks}')
    .addHelpText(
      'after',
      helpText({
        examples: EXAMPLES,
        exits: ['ok', 'usage', 'dataErr', 'noInput', 'unavailable', 'software', 'ioError'],
      }),
    )
    .action(list);
}

const EXAMPLES = [
  ['hansard blocks', `list the newest ${DEFAULT_LAST} of all terminals`],
  ['hansard blocks last -n 5', 'list the newest 5 of the terminal used last'],
  ["hansard blocks --json | jq '.blocks[] | select(.exitCode > 0)'", 'list failed commands'],
] as const;

async function list(wanted: string | undefined, options: { last: number; json?: boolean }): Promise<void> {
  const record = await RecordReader.open();
  try {
    if (record.silence) remark(record.silence);
    const terminals = wanted === undefined ? await record.listed() : [await findTerminal(record, wanted)];
    const blocks = await newestBlocks(record, terminals, options.last);
    if (options.json) return await printJson({ version: 1, core: record.core && { pid: record.core.pid }, blocks });
    if (blocks.length === 0) return remark('no blocks are recorded there yet.');
    const columns = wanted === undefined ? COLUMNS : COLUMNS.filter(({ title }) => title !== 'TERMINAL');
    await printLines(formatTable(columns, blocks, outputColumns()));
  } finally {
    record.dispose();
  }
}

const COLUMNS: readonly Column<Block>[] = [
  { title: 'BLOCK', text: ({ id }) => id },
  { title: 'TERMINAL', text: ({ terminalId }) => terminalId },
  { title: 'STARTED', text: ({ startedMs }) => formatTime(startedMs) },
  { title: 'TOOK', text: tookText, alignRight: true },
  { title: 'LINES', text: ({ outputLines }) => String(outputLines), alignRight: true },
  { title: 'EXIT', text: exitText, look: exitLook },
  { title: 'COMMAND', text: commandText, look: (cell, { cmd }) => (cmd === null ? colour('dim', cell) : cell) },
];

function tookText({ status, durationMs, startedMs }: Block): string {
  if (status === 'running') return formatDuration(Math.max(0, Date.now() - startedMs));
  return durationMs === null ? '-' : formatDuration(durationMs);
}

function exitText({ status, exitCode, signal }: Block): string {
  if (status === 'running') return 'running';
  if (signal !== undefined) return signal;
  if (exitCode !== null) return String(exitCode);
  return status === 'completed' ? '-' : status;
}

function exitLook(cell: string, { status, exitCode }: Block): string {
  if (status === 'running') return colour('green', cell);
  return exitCode !== null && exitCode !== 0 ? colour('red', cell) : colour('dim', cell);
}

const KIND_TEXT: Readonly<Record<Block['kind'], string>> = {
  command: '(text not known)',
  background: '(output while no command ran)',
  session: '(everything this shell printed)',
};

function commandText({ cmd, kind }: Block): string {
  return cmd ?? KIND_TEXT[kind];
}
