import { homedir } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { UsageGroup, UsageReport } from '../../contract/past.ts';
import { helpText } from '../print/help.ts';
import { outputColumns, printJson, printLines, remark } from '../print/output.ts';
import { parseMoment } from '../print/parseMoment.ts';
import { type Column, formatTable } from '../print/table.ts';
import { currentDataFolder } from '../record/RecordReader.ts';

const BY = ['day', 'project', 'agent', 'conversation'] as const;

export function addUsage(program: Command): void {
  program
    .command('usage')
    .description("Sum up agents' tokens, cost and time")
    .addOption(new Option('--by <group>', 'group the sums').choices(BY).default('day'))
    .option('--agent <name>', 'sum up only this agent')
    .option('--since <time>', 'sum up only usage since this time: 7d, 2026-01-31', parseTime)
    .option('--json', 'one JSON document: {version, by, groups, total}')
    .addHelpText('after', helpText({ notes: NOTES, examples: EXAMPLES, exits: ['ok', 'usage', 'software', 'ioError'] }))
    .action(usage);
}

const NOTES = [
  "Figures are those of the agents' own logs, as far as they were imported (`hansard import`). What a log does not say is not",
  'guessed: KNOWN is how many conversations say tokens, of all of them; a cell with `-` is known of no conversation.',
  'INPUT leaves out what was read from a cache. COST is what a log says in US dollars; most logs say no price:',
  '`$0.50 (2/9)` is the cost of two of nine conversations. TIME has the same form.',
];
const EXAMPLES = [
  ['hansard usage --since 7d', 'sum up the last seven days by day'],
  ['hansard usage --by project --json | jq .total', 'print the sum as data'],
] as const;

interface UsageOptions {
  by: UsageReport['by'];
  agent?: string;
  since?: number;
  json?: boolean;
}

async function usage({ by, agent, since, json }: UsageOptions): Promise<void> {
  // Imported here, because they load SQLite and every agent's reader.
  const { PastFile } = await import('../../store/past/PastFile.ts');
  const { readUsage } = await import('../../past/usage.ts');
  const file = PastFile.openToRead(currentDataFolder());
  if (!file) return remark('no usage yet. Run `hansard import` to import agent logs.');
  try {
    const report = readUsage(file, { by, agent, ...(since !== undefined && { sinceMs: since }) });
    if (json) return await printJson({ version: 1, ...report });
    if (report.groups.length === 0) return remark('no conversations in that time.');
    const rows = [...report.groups, { ...report.total, label: 'all' }];
    await printLines(formatTable(usageColumns(by), rows, outputColumns()));
  } finally {
    file.close();
  }
}

export function usageColumns(by: UsageReport['by']): readonly Column<UsageGroup>[] {
  const figure = (title: string, of: (group: UsageGroup) => number | null): Column<UsageGroup> => ({
    title,
    text: (group) => of(group)?.toLocaleString('en-US') ?? '-',
    alignRight: true,
  });
  return [
    figure('INPUT', ({ input }) => input),
    figure('OUTPUT', ({ output }) => output),
    figure('CACHE READ', ({ cacheRead }) => cacheRead),
    {
      title: 'COST',
      text: ({ cost, known, conversations }) =>
        cost === null ? '-' : `$${cost.toFixed(2)}${ofSome(known.cost, conversations)}`,
      alignRight: true,
    },
    {
      title: 'TIME',
      text: ({ busyMs, known, conversations }) =>
        busyMs === null ? '-' : `${duration(busyMs)}${ofSome(known.time, conversations)}`,
      alignRight: true,
    },
    { title: 'KNOWN', text: ({ known, conversations }) => `${known.tokens}/${conversations}`, alignRight: true },
    { title: by.toUpperCase(), text: ({ label, name }) => shortened(label || name || '(not known)') },
  ];
}

/** Marks a sum that covers only some of the conversations. */
function ofSome(known: number, all: number): string {
  return known < all ? ` (${known}/${all})` : '';
}

function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 1 ? `${Math.round(ms / 1000)} s` : minutes < 60 ? `${minutes} m` : `${(minutes / 60).toFixed(1)} h`;
}

function shortened(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

function parseTime(text: string): number {
  const moment = parseMoment(text, Date.now());
  if ('atSeq' in moment) throw new InvalidArgumentError('a time: 7d, 24h, or a date (2026-01-31).');
  return moment.atMs;
}
