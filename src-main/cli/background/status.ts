import type { Command } from 'commander';
import type { CoreStatus, TerminalStatusLine } from '../../contract/coreStatus.ts';
import { findAppFiles } from '../../hosts/appFiles.ts';
import { findHost, hostName, type RunningHost } from '../../hosts/runningHost.ts';
import { isOtherBuild } from '../../hosts/update/isOtherBuild.ts';
import { escapeLine } from '../../util/escapeControls.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { count, formatDuration, formatTime } from '../print/formatFigures.ts';
import { helpText } from '../print/help.ts';
import { printJson, printLines } from '../print/output.ts';
import { formatPairs } from '../print/table.ts';
import { LiveCore } from '../record/LiveCore.ts';
import { currentDataFolder } from '../record/RecordReader.ts';
import { leftShells } from './leftShells.ts';

export function addStatus(serve: Command): void {
  serve
    .command('status')
    .description('Show whether Hansard is running, and what runs in it')
    .option('--json', 'one JSON document: {version, dataFolder, running, core}')
    .addHelpText(
      'after',
      helpText({ examples: EXAMPLES, exits: ['ok', 'notRunning', 'usage', 'unavailable', 'software', 'ioError'] }),
    )
    .action(status);
}

const EXAMPLES = [
  ['hansard serve status', 'print a report'],
  ['hansard serve status --json | jq -r .core.origin', 'print the address of its page'],
  ['hansard serve status >/dev/null || hansard serve start', 'start it if it is not running'],
] as const;

async function status(options: { json?: boolean }): Promise<void> {
  const dataFolder = currentDataFolder();
  const found = await LiveCore.find(dataFolder);
  if (found.status === 'silent')
    throw new CliError(`Hansard runs (process ${found.pid}) but ${found.reason}.`, EXIT.unavailable);
  if (found.status === 'none') {
    process.exitCode = EXIT.notRunning;
    if (options.json) return printJson({ version: 1, dataFolder, running: false, core: null });
    const start = (await leftShells(dataFolder)) || ' `hansard serve start` starts it.';
    return printLines([`Hansard is not running on ${escapeLine(dataFolder)}.${start}`]);
  }
  const { core } = found;
  try {
    const known = await core.status();
    if (options.json) await printJson({ version: 1, dataFolder, running: true, core: known });
    else {
      const isOther = isOtherBuild(known.build, findAppFiles());
      await printLines(describe(known, { host: await findHost(dataFolder), nowMs: Date.now(), isOther }));
    }
  } finally {
    core.dispose();
  }
}

interface Seen {
  readonly host: RunningHost | null;
  readonly nowMs: number;
  /** This command belongs to another build than the core. */
  readonly isOther: boolean;
}

/** The report for people; every name in it is escaped. */
export function describe(core: CoreStatus, { host, nowMs, isOther }: Seen): string[] {
  const busy = core.terminals.filter(({ running }) => running.length > 0);
  const others = core.connections - 1;
  return [
    `Hansard runs ${placeOf(core)} (process ${core.pid}).`,
    ...formatPairs([
      ['since', `${formatTime(core.startedMs)} (${formatDuration(Math.max(0, nowMs - core.startedMs))})`],
      [
        'page',
        core.origin === null
          ? 'no address: `hansard open` shows its window'
          : `${core.origin} (\`hansard open\` opens it)`,
      ],
      ...(core.publicOrigin === null ? [] : [['public', escapeLine(core.publicOrigin)] as const]),
      ['record', escapeLine(core.dataFolder)],
      [
        'version',
        isOther ? `${core.version}, not the installed build: \`hansard serve restart\` starts that` : core.version,
      ],
      ['connected', others === 0 ? 'no other front' : count(others, 'other')],
      [
        'shells',
        core.keepsShells && host ? `in ${hostName(host)}: a crash or a restart does not end them` : 'end with Hansard',
      ],
      ['terminals', `${core.terminals.length}${busy.length === 0 ? ', idle' : ''}`],
    ]),
    ...formatPairs(busy.map((terminal) => [escapeLine(terminal.id), programsOf(terminal)] as const)).map(
      (line) => `  ${line}`,
    ),
  ];
}

function placeOf({ front, isBackground }: CoreStatus): string {
  if (front === 'desktop') return `as the desktop app${isBackground ? ', without a window' : ''}`;
  return isBackground ? 'in the background' : 'in a terminal (`hansard serve` or `hansard open`)';
}

export function programsOf({ name, running }: TerminalStatusLine): string {
  return `${escapeLine(name)}: ${running.map(escapeLine).join(', ')}`;
}
