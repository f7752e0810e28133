import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { readLock } from '../../../store/instance/lockFile.ts';
import { escapeLine } from '../../../util/escapeControls.ts';
import { nearestFolder } from '../../../util/nearestFolder.ts';
import { type Check, checksOf, formatCheck } from '../../doctor/Check.ts';
import { checkCore } from '../../doctor/checkCore.ts';
import { checkDisk } from '../../doctor/checkDisk.ts';
import { checkFiles } from '../../doctor/checkFiles.ts';
import { checkPermissions } from '../../doctor/checkPermissions.ts';
import { checkProgram } from '../../doctor/checkProgram.ts';
import { checkRecord } from '../../doctor/checkRecord.ts';
import { checkShells } from '../../doctor/checkShells.ts';
import { EXIT } from '../../print/exitCodes.ts';
import { count } from '../../print/formatFigures.ts';
import { helpText } from '../../print/help.ts';
import { colour, printJson, printLines } from '../../print/output.ts';
import { currentDataFolder } from '../../record/RecordReader.ts';

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('Diagnose problems and suggest fixes')
    .option('--no-probe', 'do not start shells to test their hooks')
    .option('--json', 'one JSON document: {version, healthy, dataFolder, checks}')
    .addHelpText(
      'after',
      helpText({ notes: NOTES, examples: EXAMPLES, exits: ['ok', 'negative', 'usage', 'software', 'ioError'] }),
    )
    .action(report);
}

const NOTES = [
  'Checks shell integration, core, permissions, record and disk. Changes nothing. A problem (✗) makes the exit code 1; a warning does not.',
];
const EXAMPLES = [
  ['hansard doctor', 'run all checks'],
  ["hansard doctor --json | jq '.checks[] | select(.fix)'", 'list the problems that have a fix'],
] as const;

async function report(options: { probe: boolean; json?: boolean }): Promise<void> {
  const dataFolder = currentDataFolder();
  const checks = [
    ...(await examine('program', checkProgram)),
    ...(await examine('shells', () => checkShells(options.probe))),
    ...(await examineData(dataFolder)),
  ];
  const healthy = checks.every(({ status }) => status !== 'bad');
  if (options.json) await printJson({ version: 1, healthy, dataFolder, checks });
  else await printLines(formatReport(dataFolder, checks));
  if (!healthy) process.exitCode = EXIT.negative;
}

async function examineData(dataFolder: string): Promise<Check[]> {
  const record = checksOf('record');
  const found = statSync(dataFolder, { throwIfNoEntry: false });
  if (!found) {
    const checks = await examine('disk', () => checkDisk(nearestFolder(dataFolder)));
    return [record.note('folder', `nothing is recorded yet: ${dataFolder} is made at the first start`), ...checks];
  }
  if (!found.isDirectory()) {
    return [
      record.bad('folder', `${dataFolder} is not a folder`, 'set HANSARD_HOME to a folder, or move the file away'),
    ];
  }
  return [
    ...(await examine('core', () => checkCore(dataFolder))),
    ...(await examine('permissions', () => checkPermissions(dataFolder))),
    ...(await examine('record', () => checkFiles(dataFolder))),
    ...(await examine('record', () => checkRecord(dataFolder, readLock(dataFolder) !== null))),
    ...(await examine('disk', () => checkDisk(dataFolder))),
  ];
}

/** Examines one area. An error becomes a finding, so that `doctor` reports the other areas. */
async function examine(area: Check['area'], run: () => Check[] | Promise<Check[]>): Promise<Check[]> {
  try {
    return await run();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      checksOf(area).bad('examined', `could not be examined: ${reason}`, 'fix this, then run `hansard doctor` again'),
    ];
  }
}

const TITLES: Readonly<Record<Check['area'], string>> = {
  program: 'Program',
  shells: 'Shells',
  core: 'Running Hansard',
  permissions: 'Permissions',
  record: 'Record',
  disk: 'Disk',
  mcp: 'MCP',
};

function formatReport(dataFolder: string, checks: readonly Check[]): string[] {
  const lines = [`Data folder: ${escapeLine(dataFolder)}`];
  for (const area of Object.keys(TITLES) as Check['area'][]) {
    const own = checks.filter((check) => check.area === area);
    if (own.length > 0) lines.push('', colour('bold', TITLES[area]), ...own.flatMap(formatCheck));
  }
  const bad = checks.filter(({ status }) => status === 'bad').length;
  const warned = checks.filter(({ status }) => status === 'warn').length;
  return [...lines, '', bad + warned === 0 ? 'All is well.' : `${count(bad, 'problem')}, ${count(warned, 'warning')}.`];
}
