import type { Command } from 'commander';
import { type AppFiles, findAppFiles } from '../hosts/appFiles.ts';
import { CliError, EXIT } from './print/exitCodes.ts';
import { reportFailure } from './print/failure.ts';
import { print, watchStdout } from './print/output.ts';

/** Runs the program of `make` with this process's arguments, and ends the process. */
export async function runProgram(make: (files: AppFiles) => Command | Promise<Command>): Promise<void> {
  watchStdout();
  try {
    await (await make(appFiles())).parseAsync();
  } catch (error) {
    process.exitCode = reportFailure(error);
  }
  // An abandoned connection would keep the process alive until its next attempt, a minute later.
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
