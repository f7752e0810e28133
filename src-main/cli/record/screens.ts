import type { ScreenQuery, ScreenReading, SeqMismatch, WaitQuery, WaitResult } from '../../contract/screen/screen.ts';
import { ScreenReader } from '../../terminal/screen/ScreenReader.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import type { Moment } from '../print/parseMoment.ts';
import { codeOf, inTime, isOfMachine, type LiveCore, UnreachedMachine } from './LiveCore.ts';
import type { RecordReader } from './RecordReader.ts';

/** The screen of a terminal, from the running core or from the files. Throws a CliError if there is none. */
export async function readScreen(record: RecordReader, terminalId: string, query: ScreenQuery): Promise<ScreenReading> {
  const { core } = record;
  if (core) return asked(core, inTime(core.connection.api.screen.read.query({ terminalId, ...query })));
  return found(await files(record).read(terminalId, query), terminalId);
}

/** The screen at a moment. Throws a CliError if it is not recorded. */
export async function readScreenAt(record: RecordReader, terminalId: string, moment: Moment): Promise<ScreenReading> {
  const { core } = record;
  if (core) return asked(core, inTime(core.connection.api.screen.at.query({ terminalId, moment })));
  return found(await files(record).at(terminalId, moment), terminalId);
}

/** Resolves when the wait ends, with any outcome. Without a running core it ends at once, because the screen cannot change. */
export async function waitForScreen(record: RecordReader, terminalId: string, query: WaitQuery): Promise<WaitResult> {
  const { core } = record;
  if (!core) return found(await files(record).wait(terminalId, query), terminalId);
  const { api, lost } = core.connection;
  const over = new Promise<WaitResult>((resolve, reject) => {
    api.screen.wait.subscribe(
      { terminalId, ...query },
      {
        onData: resolve,
        onError: reject,
        onComplete: () => reject(new Error('the wait was ended without a result')),
      },
    );
  });
  return asked(core, Promise.race([over, lost]));
}

function files({ dataFolder }: RecordReader): ScreenReader {
  return new ScreenReader(dataFolder);
}

function found<T extends object>(answer: T | SeqMismatch | null, terminalId: string): T {
  if (answer === null) throw new CliError(`no screen of terminal "${terminalId}" is recorded for that`, EXIT.noInput);
  if (!('error' in answer)) return answer;
  throw new CliError(`--since is ahead of the screen of "${terminalId}", which is at ${answer.seq}`, EXIT.usage);
}

/** Exit codes for refusals of the API; other errors mean that the core could not answer. */
const EXIT_OF: Readonly<Record<string, number>> = {
  NOT_FOUND: EXIT.noInput,
  PRECONDITION_FAILED: EXIT.usage,
  BAD_REQUEST: EXIT.usage,
};

async function asked<T>(core: LiveCore, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const exitCode = EXIT_OF[codeOf(error)];
    if (isOfMachine(error)) throw new UnreachedMachine(reason);
    if (exitCode !== undefined) throw new CliError(reason, exitCode);
    throw new CliError(`the running Hansard (process ${core.pid}) could not answer: ${reason}`, EXIT.unavailable);
  }
}
