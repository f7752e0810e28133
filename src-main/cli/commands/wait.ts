import { type Command, InvalidArgumentError } from 'commander';
import { MAX_PATTERN_CHARS } from '../../contract/screen/patternLimits.ts';
import { type WaitCondition, WaitQuery, type WaitResult } from '../../contract/screen/screen.ts';
import { escapeLine } from '../../util/escapeControls.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { helpText } from '../print/help.ts';
import { printJson, printLines, remark } from '../print/output.ts';
import { findTerminal } from '../record/findBlocks.ts';
import { RecordReader } from '../record/RecordReader.ts';
import { waitForScreen } from '../record/screens.ts';
import { parseSeq } from './screen.ts';

const DEFAULT_TIMEOUT_S = 30;
/** Limit of the API: a day. */
const MAX_TIMEOUT_S = 86_400;

export function addWait(program: Command): void {
  program
    .command('wait')
    .description('Wait for text, a still screen or a prompt')
    .argument('[terminal]', 'id of a terminal, the start of one, or `last` (the one used last)', 'last')
    .option('--match <regex>', 'new output matches the pattern (repeatable)', collect)
    .option('--absent <regex>', 'the screen has no match of the pattern (repeatable)', collect)
    .option('--changed', 'the screen changed')
    .option('--stable <ms>', 'the screen did not change for this long', parseStable)
    .option('--block-end', 'the running command ended')
    .option('--prompt', 'the shell is at its prompt')
    .option('--exit', "the terminal's program ended")
    .option('--any', 'wait for one of the conditions (the default)')
    .option('--all', 'wait until all conditions hold at the same time')
    .option('--screen', '--match also matches text already on the screen')
    .option('--since <seq>', 'treat output after this frame as new (number from --json)', parseSeq)
    .option('--epoch <epoch>', 'epoch of that frame')
    .option('--resume <seq,row,col>', 'match only after an earlier match (match.resume of --json)', parseResume)
    .option('-i, --ignore-case', 'ignore case in patterns')
    .option('--timeout <seconds>', 'give up after this time; 0 checks once', parseTimeout, DEFAULT_TIMEOUT_S)
    .option('--json', 'one JSON document: {version, result}')
    .addHelpText(
      'after',
      helpText({
        notes: NOTES,
        examples: EXAMPLES,
        exits: ['ok', 'negative', 'usage', 'dataErr', 'noInput', 'unavailable', 'software', 'ioError'],
      }),
    )
    .action(wait);
}

const NOTES = [
  'Exit code 0: met. 1: not met in time, the program ended first, or it is not running (stderr says which).',
  '--match prints the text it found. Output does not extend the deadline.',
  "Patterns ignore the shell's prompts and command lines where its hook reports them. Use --prompt to wait for a prompt.",
  `Patterns are JavaScript's, at most ${MAX_PATTERN_CHARS} characters; one that takes longer than 50 ms ends the wait.`,
];
const EXAMPLES = [
  ["hansard wait t1 --match 'Listening on .*' && curl localhost:8080", 'continue when the server is up'],
  ['hansard wait t1 --block-end --timeout 600', 'wait at most ten minutes for the end of the command'],
  ['hansard wait t1 --stable 2000 && hansard screen t1', 'read the screen when it is still'],
] as const;

type Resume = NonNullable<WaitQuery['resume']>;

interface WaitOptions {
  match?: string[];
  absent?: string[];
  changed?: boolean;
  stable?: number;
  blockEnd?: boolean;
  prompt?: boolean;
  exit?: boolean;
  any?: boolean;
  all?: boolean;
  screen?: boolean;
  since?: number;
  epoch?: string;
  resume?: Resume;
  ignoreCase?: boolean;
  timeout: number;
  json?: boolean;
}

async function wait(wanted: string, options: WaitOptions): Promise<void> {
  const query = queryOf(options);
  const record = await RecordReader.open();
  try {
    if (record.silence) remark(record.silence);
    const { id } = await findTerminal(record, wanted);
    const result = await waitForScreen(record, id, query);
    if (options.json) await printJson({ version: 1, result });
    else if (result.match) await printMatch(result.match.text);
    tell(result, options);
  } finally {
    record.dispose();
  }
}

/** Throws a CliError for invalid options. */
function queryOf(options: WaitOptions): WaitQuery {
  if (options.any && options.all) throw new CliError('--any and --all exclude each other', EXIT.usage);
  const conditions = conditionsOf(options);
  if (conditions.length === 0)
    throw new CliError('nothing to wait for: say --match, --stable, --block-end or another condition', EXIT.usage);
  const { success, data, error } = WaitQuery.safeParse({
    conditions,
    mode: options.all ? 'all' : 'any',
    timeoutMs: options.timeout * 1000,
    ...(options.since !== undefined && { since: options.since }),
    ...(options.epoch !== undefined && { epoch: options.epoch }),
    ...(options.resume && { resume: options.resume }),
  });
  if (success) return data;
  const [issue] = error.issues;
  throw new CliError(`that cannot be waited for: ${issue?.path.join('.')}: ${issue?.message}`, EXIT.usage);
}

function conditionsOf(options: WaitOptions): WaitCondition[] {
  const flags = options.ignoreCase ? 'i' : '';
  const scope = options.screen ? 'screen' : 'new';
  const conditions: WaitCondition[] = [
    ...(options.match ?? []).map((pattern) => ({
      type: 'match' as const,
      pattern,
      flags,
      scope: scope as 'new' | 'screen',
    })),
    ...(options.absent ?? []).map((pattern) => ({ type: 'absent' as const, pattern, flags })),
  ];
  if (options.changed) conditions.push({ type: 'changed' });
  if (options.stable !== undefined) conditions.push({ type: 'stable', ms: options.stable, ignoreRows: [] });
  if (options.blockEnd) conditions.push({ type: 'block-end' });
  if (options.prompt) conditions.push({ type: 'prompt' });
  if (options.exit) conditions.push({ type: 'exit' });
  return conditions;
}

async function printMatch(text: string): Promise<void> {
  await printLines(text.split('\n').map((line) => (process.stdout.isTTY ? escapeLine(line) : line)));
}

/** Sets the exit code and prints the reason if the wait failed. Throws a CliError for an invalid pattern. */
function tell({ outcome, reason, exit, isImmediate, commandLines }: WaitResult, options: WaitOptions): void {
  const { timeout } = options;
  if (commandLines === 'unknown' && (options.match ?? options.absent))
    remark('no shell hook says where the command line is: its text counts as output, too');
  if (outcome === 'met' && isImmediate) remark('the text stood on the screen already');
  if (outcome === 'met') return;
  if (outcome === 'bad-pattern' || outcome === 'slow-pattern')
    throw new CliError(`a pattern cannot be used: ${reason}`, EXIT.usage);
  process.exitCode = EXIT.negative;
  if (outcome === 'deadline') remark(timeout === 0 ? 'not so now' : `not met within ${timeout} seconds`);
  if (outcome === 'exited') remark(`the program ended before (${exit?.signal ?? exit?.exitCode ?? 'unknown'})`);
  if (outcome === 'gone') remark('the terminal does not run: its screen will not change any more');
}

function collect(text: string, before: string[] = []): string[] {
  if (text === '' || text.length > MAX_PATTERN_CHARS)
    throw new InvalidArgumentError(`a pattern has 1 to ${MAX_PATTERN_CHARS} characters.`);
  return [...before, text];
}

function parseResume(text: string): Resume {
  const [, seq, row, col] = /^(\d{1,15}),(-?\d{1,9}),(\d{1,9})$/.exec(text) ?? [];
  if (seq === undefined) throw new InvalidArgumentError('three numbers, as in 412,7,20.');
  return { seq: Number(seq), row: Number(row), col: Number(col) };
}

function parseStable(text: string): number {
  const ms = Number(text);
  if (!/^\d+$/.test(text) || ms < 10 || ms > 600_000) throw new InvalidArgumentError('milliseconds, 10 to 600000.');
  return ms;
}

function parseTimeout(text: string): number {
  const seconds = Number(text);
  if (!/^\d+(\.\d{1,3})?$/.test(text) || seconds > MAX_TIMEOUT_S)
    throw new InvalidArgumentError(`seconds, 0 to ${MAX_TIMEOUT_S}.`);
  return seconds;
}
