import { constants as osConstants } from 'node:os';
import type { Command } from 'commander';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { helpText } from '../print/help.ts';
import { remark } from '../print/output.ts';
import { currentDataFolder } from '../record/RecordReader.ts';
import { HereTerminal } from '../recording/HereTerminal.ts';

export function addRecord(program: Command): void {
  program
    .command('record')
    .description('Record a program without the app')
    .argument('[command...]', 'the program and its arguments, after -- (default: your shell)')
    .option('-n, --name <name>', 'name of the recorded terminal')
    .option('-o, --output <file>', 'also write an asciicast when the program ends')
    .option('-q, --quiet', 'print nothing before and after')
    .addHelpText(
      'after',
      helpText({ notes: NOTES, examples: EXAMPLES, exits: ['ok', 'usage', 'unavailable', 'software', 'ioError'] }),
    )
    .action(run);
}

const NOTES = [
  'Output is recorded; keystrokes are not. The exit code is that of the program, 128 + n after signal n.',
  'A running Hansard is not affected. `hansard ls --all` lists the recording.',
];
const EXAMPLES = [
  ['hansard record', 'record your shell until `exit`'],
  ['hansard record -o demo.cast -- vim notes.txt', 'record one program and write a file to share'],
  ['hansard record -q -- make test', 'record within a script'],
] as const;

interface RecordOptions {
  name?: string;
  output?: string;
  quiet?: boolean;
}

async function run(command: string[], options: RecordOptions): Promise<void> {
  const dataFolder = currentDataFolder();
  const say = options.quiet ? (): void => undefined : remark;
  // Imported here, because it loads the PTY and all that reads its output, which no reading command needs.
  const { recordHere } = await import('../../hosts/recordHere.ts');
  // Before the program runs: another build may be installed by the time it ends.
  const cast = options.output === undefined ? null : await import('../recording/writeCast.ts');
  const here = new HereTerminal();
  say(command.length === 0 ? 'recording; `exit` ends it' : `recording ${command[0]}`);
  try {
    const { id, exit, fault } = await recordHere({ dataFolder, command, name: options.name ?? null }, here);
    if (fault !== null) remark(`not all of it could be recorded: ${fault}`);
    if (options.output !== undefined) await cast?.writeCast(dataFolder, id, options.output);
    say(`recorded as ${id}`);
    process.exitCode = here.signal === null ? exitCodeOf(exit) : 128 + signalNumber(here.signal);
  } catch (error) {
    throw error instanceof CliError ? error : refusal(error);
  } finally {
    here.restore();
  }
}

function refusal(error: unknown): CliError {
  return new CliError(
    `nothing was recorded: ${error instanceof Error ? error.message : String(error)}`,
    EXIT.unavailable,
  );
}

function exitCodeOf({ exitCode, signal }: { exitCode: number | null; signal: string | null }): number {
  return signal === null ? (exitCode ?? 0) : 128 + signalNumber(signal);
}

function signalNumber(name: string): number {
  return osConstants.signals[name as NodeJS.Signals] ?? 0;
}
