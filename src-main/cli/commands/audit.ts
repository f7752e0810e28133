import { dirname, join } from 'node:path';
import { type Command, Option } from 'commander';
import type { AuditBreak, AuditCursor, AuditFilter, AuditLine, AuditVerdict } from '../../contract/mcp/audit.ts';
import { type PolicyRules, ruleWords } from '../../contract/mcp/policyRules.ts';
import { readAuditPage } from '../../store/audit/auditFiles.ts';
import { verifyAudit } from '../../store/audit/verifyAudit.ts';
import { policyPath } from '../../store/instance/policyFile.ts';
import { readPolicyRules } from '../../store/instance/readPolicyRules.ts';
import { EXIT } from '../print/exitCodes.ts';
import { formatTime } from '../print/formatFigures.ts';
import { helpText } from '../print/help.ts';
import { parseCount } from '../print/options.ts';
import { colour, outputColumns, printJson, printLines, remark } from '../print/output.ts';
import { type Column, formatTable } from '../print/table.ts';
import { currentDataFolder } from '../record/RecordReader.ts';

const DEFAULT_LAST = 50;
const NOTHING = {
  all: 'no outside client has done or read anything yet.',
  did: 'no outside client has done anything yet.',
  read: 'no outside client has read anything yet.',
} as const;
const EXITS = ['ok', 'negative', 'usage', 'software', 'ioError'] as const;
const NOTES = [
  'Each command, key, interrupt and lease of an outside client is a line of audit.jsonl, and so is each refusal. Reads and calls refused',
  'before they ran are counted: the first of a kind (client, tool, terminal, result) is logged at once, later ones as one line with their',
  'count, after a minute, after ten, then hourly, and when you open the audit in the window. A kill of Hansard loses at most five seconds of',
  'these counts. Keys that the terminal does not show (a password) are logged as a number of characters.',
  'Each line holds the hash of the line before, and audit.head.json names the newest, so changed, inserted and missing lines are found.',
  'A file of 16 MiB becomes audit-<n>.jsonl; the newest eight are kept. A program that can write this folder and knows the format can',
  'rewrite the whole log.',
];
const EXAMPLES = [
  ['hansard audit --last 20', 'list the newest 20 entries'],
  ['hansard audit --only read', 'list what clients read, and how often'],
  ['hansard audit verify', 'check that the log is complete and unchanged'],
  ['hansard audit --json | jq \'.lines[] | select(.decision=="denied")\'', 'list refusals'],
] as const;

export function addAudit(program: Command): void {
  const audit = program
    .command('audit')
    .description('List what outside clients did and read')
    .addOption(new Option('--only <kind>', 'did: everything except reads; read: only reads').choices(['did', 'read']))
    .option('-n, --last <n>', 'number of newest entries', parseCount, DEFAULT_LAST)
    .option('--json', 'one JSON document: {version, lines}')
    .addHelpText('after', helpText({ notes: NOTES, examples: EXAMPLES, exits: EXITS }))
    .action(list);
  audit
    .command('verify')
    .description('Check the integrity of the audit log')
    .addHelpText(
      'after',
      helpText({ examples: EXAMPLES, exits: EXITS, meanings: { negative: 'the log has integrity problems' } }),
    )
    .action((_: object, command: Command) => verify(command.optsWithGlobals<{ json?: boolean }>()));
}

async function list({ last, only, json }: { last: number; only?: 'did' | 'read'; json?: boolean }): Promise<void> {
  const lines = await newest(last, only === undefined ? {} : { reads: only === 'read' });
  if (json) return printJson({ version: 1, lines });
  if (lines.length === 0) return remark(NOTHING[only ?? 'all']);
  const rules = readPolicyRules(policyPath(currentDataFolder()));
  await printLines(formatTable(columns(rules), lines, outputColumns()));
}

/** The newest entries, oldest first. */
async function newest(count: number, filter: AuditFilter): Promise<AuditLine[]> {
  const lines: AuditLine[] = [];
  for (let before: AuditCursor | undefined; ; ) {
    const page = await readAuditPage(auditPath(), { limit: count - lines.length, before, filter });
    lines.push(...page.lines); // a page may be short if few entries match
    if (page.next === null || lines.length >= count) return lines.toReversed();
    before = page.next;
  }
}

async function verify({ json }: { json?: boolean }): Promise<void> {
  const verdict = await verifyAudit(auditPath());
  if (json) await printJson({ version: 1, ...verdict });
  else await printLines(verdictLines(verdict));
  if (!verdict.ok) process.exitCode = EXIT.negative;
}

function verdictLines({ ok, entries, files, first, breaks, breakCount, trustedTo }: AuditVerdict): string[] {
  const inFiles = files > 1 ? ` in ${files} files` : '';
  const lines = ok
    ? [`log intact: ${entries} ${entries === 1 ? 'entry' : 'entries'}${inFiles}`]
    : breaks.map(breakLine);
  if (breakCount > breaks.length) lines.push(`and ${breakCount - breaks.length} more`);
  if (first > 1) lines.push(`entries before ${first} were removed because of their age`);
  if (trustedTo > 0) lines.push(`up to entry ${trustedTo}, removed entries at the end could not be detected`);
  return lines;
}

function breakLine({ file, line, reason }: AuditBreak): string {
  const path = join(dirname(auditPath()), file);
  return line === null ? `${path}: ${reason}` : `line ${line} of ${path}: ${reason}`;
}

function auditPath(): string {
  return join(currentDataFolder(), 'audit.jsonl');
}

const columns = (rules: PolicyRules | null): readonly Column<AuditLine>[] => [
  { title: 'TIME', text: ({ ts }) => formatTime(ts) },
  { title: 'CLIENT', text: ({ client }) => client },
  { title: 'TERMINAL', text: ({ pty }) => pty ?? '-' },
  { title: 'TOOL', text: ({ tool }) => tool },
  { title: 'DECISION', text: ({ decision }) => decision, look: decisionLook },
  { title: 'RULE', text: (line) => [line.rule ?? '-', ruleWords(line, rules)].filter(Boolean).join(': ') },
  { title: 'WHAT', text: ({ what }) => what },
];

function decisionLook(cell: string, { decision }: AuditLine): string {
  if (decision === 'allowed' || decision === 'approved') return colour('green', cell);
  return colour('yellow', cell);
}
