import { dirname, join } from 'node:path';
import { type Command, Option } from 'commander';
import type { AuditBreak, AuditCursor, AuditFilter, AuditLine, AuditVerdict } from '../contract/audit.ts';
import { type PolicyRules, ruleWords } from '../contract/policyRules.ts';
import { readAuditPage } from '../store/auditFiles.ts';
import { policyPath } from '../store/policyFile.ts';
import { readPolicyRules } from '../store/readPolicyRules.ts';
import { verifyAudit } from '../store/verifyAudit.ts';
import { EXIT } from './exitCodes.ts';
import { formatTime } from './formatFigures.ts';
import { helpText } from './help.ts';
import { parseCount } from './options.ts';
import { colour, outputColumns, printJson, printLines, remark } from './output.ts';
import { currentDataFolder } from './record/RecordReader.ts';
import { type Column, formatTable } from './table.ts';

const DEFAULT_LAST = 50;
const NOTHING = {
  all: 'no outside client has done or read anything yet.',
  did: 'no outside client has done anything yet.',
  read: 'no outside client has read anything yet.',
} as const;
const EXITS = ['ok', 'negative', 'usage', 'software', 'ioError'] as const;
const NOTES = [
  'Every command, every key, every stop and every loan of the keys of an outside client is a line of audit.jsonl, and so is every refusal of one.',
  'What a client reads, and calls that are turned away at the door, come by the thousand: the first of a kind (client, tool, terminal, how it',
  'ended) is a line at once; those that follow are one line with their count: after a minute, then after ten, then each hour, and when you look',
  'at the audit in the window. What was only counted is told at the next start after a kill, but for its last five seconds. Of what is typed',
  'where the terminal does not show it (a password) a line tells only how much it was. Each line is chained to the one before by its hash, and',
  'audit.head.json names the newest, so that what was changed, taken out, put in or cut off at the end shows.',
  'A file of 16 MiB is full and becomes audit-<n>.jsonl; the newest eight of these are kept. Whoever may write here can also write it all anew,',
  'head and all: it guards against mistakes and against programs that cover a trace, not against one that knows how this is made.',
];
const EXAMPLES = [
  ['hansard audit --last 20', 'what outside clients did last'],
  ['hansard audit --only read', 'what they looked at, and how often'],
  ['hansard audit verify', 'is everything there, and as it was written?'],
  ['hansard audit --json | jq \'.lines[] | select(.decision=="denied")\'', 'what was denied'],
] as const;

export function addAudit(program: Command): void {
  const audit = program
    .command('audit')
    .description('what outside clients did and read in your terminals, and what they were refused')
    .addOption(
      new Option('--only <kind>', 'did: all but what they only read; read: that alone').choices(['did', 'read']),
    )
    .option('-n, --last <n>', 'how many of the newest', parseCount, DEFAULT_LAST)
    .option('--json', 'one JSON document: {version, lines}')
    .addHelpText('after', helpText({ notes: NOTES, examples: EXAMPLES, exits: EXITS }))
    .action(list);
  audit
    .command('verify')
    .description('check the chain of all files, and that its end is there')
    .addHelpText(
      'after',
      helpText({ examples: EXAMPLES, exits: EXITS, meanings: { negative: 'something is not as it was written' } }),
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

/** The oldest of them first. */
async function newest(count: number, filter: AuditFilter): Promise<AuditLine[]> {
  const lines: AuditLine[] = [];
  for (let before: AuditCursor | undefined; ; ) {
    const page = await readAuditPage(auditPath(), { limit: count - lines.length, before, filter });
    lines.push(...page.lines); // a page may be short where few entries pass
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
  const lines = ok ? [`ok: ${entries} lines${inFiles}, each as it was written`] : breaks.map(breakLine);
  if (breakCount > breaks.length) lines.push(`and ${breakCount - breaks.length} more`);
  if (first > 1) lines.push(`entries before ${first} were removed, being old`);
  if (trustedTo > 0)
    lines.push(`up to entry ${trustedTo} the end was taken as it was found: nothing had vouched for it`);
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
