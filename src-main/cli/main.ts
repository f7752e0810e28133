import { findAppFiles } from '../hosts/appFiles.ts';
import { CliError, EXIT } from './print/exitCodes.ts';
import { reportFailure } from './print/failure.ts';
import { print, watchStdout } from './print/output.ts';
import { buildProgram } from './program.ts';

/** The installation's own version. Everything else needs its other files too. */
function readVersion(): string {
  try {
    return findAppFiles().version;
  } catch (error) {
    throw new CliError(error instanceof Error ? error.message : String(error), EXIT.unavailable);
  }
}

watchStdout();
try {
  await buildProgram(readVersion()).parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
// A connection that was given up would hold the process until its next try, a minute later. Nothing else is left to do.
await print('').catch(() => false);
process.exit();
