import { readFileSync } from 'node:fs';
import { type AppFiles, findAppFiles } from '../hosts/appFiles.ts';
import { CliError, EXIT } from './print/exitCodes.ts';
import { reportFailure } from './print/failure.ts';
import { print, watchStdout } from './print/output.ts';
import { type ListedCommand, programFor } from './program.ts';

/** The installation's own files. Every command needs at least its version. */
function appFiles(): AppFiles {
  try {
    return findAppFiles();
  } catch (error) {
    throw new CliError(error instanceof Error ? error.message : String(error), EXIT.unavailable);
  }
}

watchStdout();
try {
  const { version, commandList } = appFiles();
  const readList = (): ListedCommand[] | null => commandList && JSON.parse(readFileSync(commandList, 'utf8'));
  await (await programFor(version, process.argv.slice(2), readList)).parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
// A connection that was given up would hold the process until its next try, a minute later. Nothing else is left to do.
await print('').catch(() => false);
process.exit();
