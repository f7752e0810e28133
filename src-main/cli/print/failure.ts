import { CommanderError } from 'commander';
import { asDiskError } from '../../store/files/Disk.ts';
import { DamagedFile, readFaultOf } from '../../store/files/readFault.ts';
import { escapeText } from '../../util/escapeControls.ts';
import { CliError, EXIT } from './exitCodes.ts';

/** Prints the error on stderr, with a stack trace only if HANSARD_DEBUG is set, and returns the exit code. */
export function reportFailure(error: unknown): number {
  // Commander has printed it already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const { message, exitCode } = judge(error);
  process.stderr.write(`hansard: ${escapeText(message)}\n`);
  if (process.env.HANSARD_DEBUG && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`);
  return exitCode;
}

function judge(error: unknown): { message: string; exitCode: number } {
  if (error instanceof CliError) return error;
  if (error instanceof DamagedFile)
    return { message: `${error.message}. \`hansard doctor\` suggests a fix.`, exitCode: EXIT.dataErr };
  const what = error instanceof Error ? error.message : String(error);
  if (isErrno(error)) {
    const fault = error.path === undefined ? null : readFaultOf(error, error.path);
    return { message: fault ? `${fault.path} ${fault.reason}` : asDiskError(error).reason, exitCode: EXIT.noInput };
  }
  // The message is a sentence already: the store says what the system refused.
  if (error instanceof Error && isErrno(error.cause)) return { message: what, exitCode: EXIT.unavailable };
  return { message: `this is a bug: ${what} (HANSARD_DEBUG=1 shows where)`, exitCode: EXIT.software };
}

/** An error of the system, which is not a bug; its path shows the location. */
function isErrno(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
