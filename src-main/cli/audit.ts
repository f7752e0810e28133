import { join } from 'node:path';
import type { Command } from 'commander';
import type { AuditLine } from '../contract/audit.ts';
import { readAudit, verifyAudit } from '../store/auditLog.ts';
import { EXIT } from './exitCodes.ts';
import { formatTime } from './formatFigures.ts';
import { helpText } from './help.ts';
import { parseCount } from './options.ts';
import { colour, outputColumns, print, printJson, printLines, remark } from './output.ts';
import { currentDataFolder } from './record/RecordReader.ts';
import { type Column, formatTable } from './table.ts';

const DEFAULT_LAST = 50;
const EXITS = ['ok', 'negative', 'usage', 'software', 'ioError'] as const;
const NOTES = [
  'Every command, every key and every refusal of an outside client is a line of audit.jsonl. Each line is chained to the one before',
  'by its hash, so that one that was changed, taken out or put in shows. What was cut off at the end does not.',
];
const EXAMPLES = [
  ['hansard audit --last 20', 'what outside clients did last'],
  ['hansard audit verify', 'is every line as it was written?'],
  ['hansard audit --json | jq \'.lines[] | select(.decision=="denied")\'', 'what was denied'],
] as const;

export function addAudit(program: Command): void {
  const audit = program
    .command('audit')
    .description('what outside clients did in your terminals, and what they were refused')
    .option('-n, --last <n>', 'how many of the newest', parseCount, DEFAULT_LAST)
    .option('--json', 'one JSON document: {version, lines}')
    .addHelpText('after', helpText({ notes: NOTES, examples: EXAMPLES, exits: EXITS }))
    .action(list);
  audit
    .command('verify')
    .description('check the chain of the whole file')
    .addHelpText(
      'after',
      helpText({ examples: EXAMPLES, exits: EXITS, meanings: { negative: 'a line is not as it was written' } }),
    )
    .action(verify);
}

async function list({ last, json }: { last: number; json?: boolean }): Promise<void> {
  const lines = await readAudit(auditPath(), { limit: last });
  if (json) return printJson({ version: 1, lines });
  if (lines.length === 0) return remark('no outside client has done anything yet.');
  await printLines(formatTable(COLUMNS, lines, outputColumns()));
}

async function verify(): Promise<void> {
  const verdict = await verifyAudit(auditPath());
  if (verdict.ok) {
    await print(`ok: ${verdict.lines} lines, each as it was written\n`);
    return;
  }
  await print(`line ${verdict.line} of ${auditPath()}: ${verdict.reason}\n`);
  process.exitCode = EXIT.negative;
}

function auditPath(): string {
  return join(currentDataFolder(), 'audit.jsonl');
}

const COLUMNS: readonly Column<AuditLine>[] = [
  { title: 'TIME', text: ({ ts }) => formatTime(ts) },
  { title: 'CLIENT', text: ({ client }) => client },
  { title: 'TERMINAL', text: ({ pty }) => pty ?? '-' },
  { title: 'TOOL', text: ({ tool }) => tool },
  { title: 'DECISION', text: ({ decision }) => decision, look: decisionLook },
  { title: 'RULE', text: ({ rule }) => rule ?? '-' },
  { title: 'WHAT', text: ({ what }) => what },
];

function decisionLook(cell: string, { decision }: AuditLine): string {
  if (decision === 'allowed' || decision === 'approved') return colour('green', cell);
  return colour('yellow', cell);
}
