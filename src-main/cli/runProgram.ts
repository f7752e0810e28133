import type { Command } from 'commander';
import { type AppFiles, findAppFiles } from '../hosts/appFiles.ts';
import { CliError, EXIT } from './print/exitCodes.ts';
import { reportFailure } from './print/failure.ts';
import { print, watchStdout } from './print/output.ts';

/** Runs what `make` returns on this process's words, and ends the process. */
export async function runProgram(make: (files: AppFiles) => Command | Promise<Command>): Promise<void> {
  watchStdout();
  try {
    await (await make(appFiles())).parseAsync();
  } catch (error) {
    process.exitCode = reportFailure(error);
  }
  // A connection that was given up would hold the process until its next try, a minute later. Nothing else is left to do.
  await print('').catch(() => false);
  process.exit();
}

/** The installation's own files. Every command needs at least its version. */
function appFiles(): AppFiles {
  try {
    return findAppFiles();
  } catch (error) {
    throw new CliError(error instanceof Error ? error.message : String(error), EXIT.unavailable);
  }
}
