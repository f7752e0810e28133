import type { Command } from 'commander';
import { escapeLine } from '../../util/escapeControls.ts';
import { askYes } from '../print/askYes.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { count } from '../print/formatFigures.ts';
import { helpText } from '../print/help.ts';
import { printJson, printLines } from '../print/output.ts';
import { type Moment, parseMoment } from '../print/parseMoment.ts';
import { inTime, type LiveCore } from '../record/LiveCore.ts';
import { withRunningCore } from '../record/withRunningCore.ts';
import { statusLines } from './statusLines.ts';

const ABSENT = 'nothing is sent';
const EXITS = ['ok', 'negative', 'usage', 'dataErr', 'unavailable', 'software', 'ioError'] as const;
/** A request may take ten seconds; the rest is for a busy core. */
const TEST_TIMEOUT_MS = 30_000;
const MOST_VALUE_BYTES = 16 * 1024;

const NOTES = [
  'Hansard sends conversations of agents as OpenTelemetry traces to a collector (OTLP/HTTP). Telemetry is off by default; texts are sent only',
  'with `--content`.',
  'docs/guide/telemetry.md lists every field that is sent. Headers are read from stdin and are never printed.',
];
const EXAMPLES = [
  ['hansard telemetry', 'print whether turns are sent and how many wait'],
  ['hansard telemetry on https://collector.example:4318', 'send turns that end from now on'],
  ['hansard telemetry header Authorization < token.txt', 'set a header that every request has'],
  ['hansard telemetry test', 'send one span and print the answer'],
  ['hansard telemetry send --since 2026-11-01', 'queue the turns that ended since then'],
] as const;

/** Adds `hansard telemetry` and its subcommands, which all ask the running core. */
export function addTelemetry(program: Command): void {
  const telemetry = program
    .command('telemetry')
    .description('Manage telemetry to your collector')
    .addHelpText('after', helpText({ notes: NOTES, examples: EXAMPLES, exits: EXITS }))
    .action(() => status({}));
  telemetry
    .command('status')
    .description('Print the queue, the last success and error')
    .option('--json', 'one JSON document: {version, telemetry}')
    .addHelpText('after', helpText({ examples: [EXAMPLES[0]], exits: EXITS }))
    .action(status);
  telemetry
    .command('test')
    .description('Send a test span and print the answer')
    .option('--json', 'one JSON document: {version, test}')
    .addHelpText('after', helpText({ examples: [EXAMPLES[3]], exits: EXITS }))
    .action(test);
  telemetry
    .command('send')
    .description('Queue past turns')
    .requiredOption('--since <moment>', 'a date, such as 2026-11-01, or a time ago, such as 7d', (text) =>
      parseMoment(text, Date.now()),
    )
    .option('--json', 'one JSON document: {version, sent}')
    .addHelpText('after', helpText({ examples: [EXAMPLES[4]], exits: EXITS }))
    .action(send);
  addSwitches(telemetry);
}

function addSwitches(telemetry: Command): void {
  telemetry
    .command('on')
    .description('Turn telemetry on')
    .argument('[endpoint]', 'address of the collector (default: the one in the settings)')
    .option('--content', 'send texts too, redacted')
    .option('--no-content', 'send names, ids and times only')
    .addHelpText('after', helpText({ examples: [EXAMPLES[1]], exits: EXITS }))
    .action(turnOn);
  telemetry
    .command('off')
    .description('Turn telemetry off')
    .option('--clear', 'delete waiting turns without asking')
    .addHelpText('after', helpText({ examples: [], exits: EXITS }))
    .action(turnOff);
  telemetry
    .command('clear')
    .description('Delete waiting turns')
    .addHelpText('after', helpText({ examples: [], exits: EXITS }))
    .action(() => withRunningCore(ABSENT, clear));
  telemetry
    .command('header')
    .description('Set a request header, read from stdin')
    .argument('<name>', 'name of the header, such as Authorization')
    .option('--remove', 'remove the header instead')
    .addHelpText('after', helpText({ examples: [EXAMPLES[2]], exits: EXITS }))
    .action(setHeader);
}

async function status({ json }: { json?: boolean }): Promise<void> {
  await withRunningCore(ABSENT, async (core) => {
    const telemetry = await inTime(core.connection.api.settings.telemetry.status.query());
    if (json) return printJson({ version: 1, telemetry });
    await printLines(statusLines(telemetry, Date.now()));
  });
}

async function test({ json }: { json?: boolean }): Promise<void> {
  await withRunningCore(ABSENT, async (core) => {
    const done = await inTime(core.connection.api.settings.telemetry.test.mutate(), TEST_TIMEOUT_MS);
    if (!done.ok) process.exitCode = EXIT.negative;
    if (json) return printJson({ version: 1, test: done });
    const answer = escapeLine(done.answer);
    await printLines([
      done.ok
        ? `The collector accepted the test span: ${answer} (${done.durationMs} ms).`
        : `The test span was not accepted: ${answer.replace(/\.$/, '')}.`,
    ]);
  });
}

async function send({ since, json }: { since: Moment; json?: boolean }): Promise<void> {
  if (!('atMs' in since))
    throw new CliError('--since needs a date or a time ago, such as 2026-11-01 or 7d.', EXIT.usage);
  const { atMs } = since;
  await withRunningCore(ABSENT, async (core) => {
    // Has no timeout, because it reads every conversation since then.
    const sent = await core.connection.api.settings.telemetry.send
      .mutate({ sinceMs: Math.max(0, atMs) })
      .catch(refused);
    if (json) return printJson({ version: 1, sent });
    await printLines([
      `Queued ${count(sent.turns, 'turn')} of ${count(sent.conversations, 'conversation')}. They are sent in the background.`,
      ...(sent.leftMs === null
        ? []
        : [
            `The queue is full. When it is empty, run: hansard telemetry send --since ${new Date(sent.leftMs).toISOString()}`,
          ]),
    ]);
  });
}

async function turnOn(endpoint: string | undefined, { content }: { content?: boolean }): Promise<void> {
  await withRunningCore(ABSENT, async (core) => {
    const change = {
      'telemetry.enabled': true,
      ...(endpoint !== undefined && { 'telemetry.endpoint': endpoint }),
      ...(content !== undefined && { 'telemetry.content': content }),
    };
    await inTime(core.connection.api.settings.set.mutate(change)).catch(refused);
    const telemetry = await inTime(core.connection.api.settings.telemetry.status.query());
    if (telemetry.fault !== null) process.exitCode = EXIT.negative;
    await printLines(statusLines(telemetry, Date.now()));
  });
}

async function turnOff(options: { clear?: boolean }): Promise<void> {
  await withRunningCore(ABSENT, async (core) => {
    const { api } = core.connection;
    await inTime(api.settings.set.mutate({ 'telemetry.enabled': false }));
    await printLines(['Telemetry is off. Nothing is sent.']);
    const { queue } = await inTime(api.settings.telemetry.status.query());
    if (queue.turns === 0) return;
    const waits = `${count(queue.turns, 'turn')} ${queue.turns === 1 ? 'waits' : 'wait'} on disk`;
    const isWanted = options.clear || (process.stdin.isTTY && (await askYes(`${waits}. Delete? [y/N] `)));
    if (isWanted) await clear(core);
    else await printLines([`${waits}. \`hansard telemetry clear\` deletes them.`]);
  });
}

async function clear({ connection }: LiveCore): Promise<void> {
  const turns = await inTime(connection.api.settings.telemetry.clear.mutate());
  await printLines([`Deleted ${count(turns, 'waiting turn')}.`]);
}

async function setHeader(name: string, { remove }: { remove?: boolean }): Promise<void> {
  const shown = escapeLine(name);
  const value = remove ? '' : await readValue();
  await withRunningCore('headers cannot be changed', async (core) => {
    const { telemetry } = core.connection.api.settings;
    if (remove) {
      const wasThere = await inTime(telemetry.removeHeader.mutate({ name })).catch(refused);
      if (!wasThere) throw new CliError(`No header ${shown} is set.`, EXIT.negative);
      return printLines([`Removed header ${shown}.`]);
    }
    const fault = await inTime(telemetry.setHeader.mutate({ name, value })).catch(refused);
    if (fault !== null) throw new CliError(fault, EXIT.dataErr);
    await printLines([`Set header ${shown}.`]);
  });
}

/** Reads the value from stdin, so that no shell history and no list of processes has it. A final line break is removed. */
async function readValue(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Value, then Ctrl+D: ');
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of process.stdin) {
    pieces.push(Buffer.from(piece));
    size += pieces.at(-1)?.length ?? 0;
    if (size > MOST_VALUE_BYTES)
      throw new CliError('The value is longer than 8 KB. Pipe only the value of the header.', EXIT.dataErr);
  }
  return Buffer.concat(pieces)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}

function refused(error: unknown): never {
  throw new CliError(escapeLine(error instanceof Error ? error.message : String(error)), EXIT.negative);
}
