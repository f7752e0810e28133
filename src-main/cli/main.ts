import { Command, CommanderError } from 'commander';
import { findAppFiles } from '../hosts/appFiles.ts';
import { CliError, EXIT } from './exitCodes.ts';
import { addOpen } from './open.ts';
import { addServe } from './serve.ts';

const { version } = findAppFiles();
const program = new Command('hansard')
  .description('A terminal that keeps the official record of people and coding agents at work.')
  .version(version)
  .showHelpAfterError('(hansard --help tells more)')
  .exitOverride();

for (const add of [addOpen, addServe]) add(program);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

/** Says what was wrong in one line and returns the exit code. A bug keeps its stack, since somebody has to find it. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof CliError) {
    process.stderr.write(`hansard: ${error.message}\n`);
    return error.exitCode;
  }
  process.stderr.write(
    `hansard: this is a bug: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return EXIT.software;
}
