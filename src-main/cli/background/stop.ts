import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { lockPath, readLock } from '../../store/instance/lockFile.ts';
import { escapeLine } from '../../util/escapeControls.ts';
import { askYes } from '../print/askYes.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { count } from '../print/formatFigures.ts';
import { helpText } from '../print/help.ts';
import { print, printLines, remark } from '../print/output.ts';
import { LiveCore } from '../record/LiveCore.ts';
import { currentDataFolder } from '../record/RecordReader.ts';
import { leftShells } from './leftShells.ts';
import { programsOf } from './status.ts';

export function addStop(serve: Command): void {
  serve
    .command('stop')
    .description('Stop the running Hansard and wait until its record is complete')
    .option('--force', 'do not ask; end running programs, and send SIGTERM if Hansard does not answer')
    .addHelpText(
      'after',
      helpText({ notes: NOTES, examples: EXAMPLES, exits: ['ok', 'negative', 'usage', 'unavailable', 'software'] }),
    )
    .action(stop);
}

const NOTES = [
  'Names running programs and asks first. Without a terminal to ask on, nothing ends without --force, and the exit code is 1.',
  'The exit code is 0 if Hansard is not running. The next start restores the tabs.',
];
const EXAMPLES = [
  ['hansard serve stop', 'stop it; ask first if programs run in it'],
  ['hansard serve stop --force', 'stop it and end them'],
] as const;

/** Shells get a second to hang up; half a minute means a disk that does not answer. */
const END_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 25;

async function stop({ force = false }: { force?: boolean }): Promise<void> {
  const dataFolder = currentDataFolder();
  const found = await LiveCore.find(dataFolder);
  if (found.status === 'none') return remark(`Hansard is not running on ${dataFolder}.${await leftShells(dataFolder)}`);
  if (found.status === 'silent') {
    if (!force) throw new CliError(silence(found.pid, found.reason), EXIT.unavailable);
    process.kill(found.pid, 'SIGTERM');
    await untilGone(dataFolder, found.pid);
    await print(`Hansard (process ${found.pid}) has ended; its record is complete.\n`);
    return;
  }
  const { core } = found;
  try {
    if (!force) await askFor(core);
    await core.end();
    await untilGone(dataFolder, core.pid);
    await print(`Hansard (process ${core.pid}) has ended; its record is complete.\n`);
  } finally {
    core.dispose();
  }
}

export function silence(pid: number, reason: string): string {
  return `Hansard runs (process ${pid}) but ${reason}. \`hansard serve stop --force\` ends it all the same.`;
}

/** Resolves if the core may be ended. */
export async function askFor(core: LiveCore): Promise<void> {
  const { terminals } = await core.status();
  const busy = terminals.filter(({ running }) => running.length > 0);
  if (busy.length === 0) return;
  const programs = busy.reduce((sum, { running }) => sum + running.length, 0);
  const what = `${count(programs, 'program')} still ${programs === 1 ? 'runs' : 'run'}`;
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    const names = busy.map(programsOf).join('; ');
    throw new CliError(`${what} (${names}). Nothing was ended; --force ends them.`, EXIT.negative);
  }
  await printLines([`${what}:`, ...busy.map((terminal) => `  ${programsOf(terminal)}`)]);
  if (!(await askYes(`End ${programs === 1 ? 'it' : 'them'} and stop? [y/N] `)))
    throw new CliError('nothing was ended.', EXIT.negative);
}

/** A process that is not our child can only be polled. Its lock shows the result: a core that saved its record removes it. */
export async function untilGone(dataFolder: string, pid: number): Promise<void> {
  for (const until = Date.now() + END_WITHIN_MS; readLock(dataFolder)?.pid === pid; await sleep(LOOK_EVERY_MS)) {
    if (Date.now() < until) continue;
    const text = `process ${pid} has not ended within ${END_WITHIN_MS / 1000} seconds; it still tries. See \`hansard serve status\`.`;
    throw new CliError(text, EXIT.unavailable);
  }
  if (existsSync(lockPath(dataFolder)) && !readLock(dataFolder)) {
    const text = `process ${pid} is gone but did not close its record in ${escapeLine(dataFolder)}: the next start repairs it.`;
    throw new CliError(text, EXIT.negative);
  }
}
