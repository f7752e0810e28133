import { lstatSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Quality, TerminalView } from '../../contract/terminal.ts';
import { findAppFiles } from '../../hosts/appFiles.ts';
import { findHost, hostName } from '../../hosts/runningHost.ts';
import { CoreAddress } from '../../hosts/web/coreAddress.ts';
import { readAsIs } from '../../store/files/readAsIs.ts';
import { lockPath, readLock } from '../../store/instance/lockFile.ts';
import { LiveCore } from '../record/LiveCore.ts';
import { type Check, checksOf, quotePath } from './Check.ts';

const check = checksOf('core');

/** Whether a core runs, whether it answers, and who else could connect to it. */
export async function checkCore(dataFolder: string): Promise<Check[]> {
  const found = await LiveCore.find(dataFolder);
  if (found.status === 'none')
    return [
      check.note('running', 'Hansard is not running on this data folder'),
      ...leftovers(dataFolder),
      ...(await shellsLeft(dataFolder)),
    ];
  if (found.status === 'silent') {
    const text = `Hansard runs (process ${found.pid}) but cannot be asked: ${found.reason}`;
    return [check.bad('running', text, `kill ${found.pid}    # then start it again; the record is kept`)];
  }
  const { core } = found;
  const views = await core.terminals();
  const { keepsShells } = await core.status();
  const host = await findHost(dataFolder);
  core.dispose();
  return [
    check.ok('running', `Hansard runs (process ${core.pid}) and answers`),
    sameVersion(core.info.version),
    host && keepsShells
      ? check.ok('shells', `shells run in ${hostName(host)}: a crash or a restart of Hansard does not end them`)
      : check.note('shells', 'shells run in Hansard itself, and end with it'),
    ...(await checkSocket(dataFolder)),
    ...views.flatMap(judgeTerminal),
  ];
}

/** Problems that keep an open terminal from a complete record, or from a card per command. */
function judgeTerminal({ id, shell, state, quality, recordFault }: TerminalView): Check[] {
  const checks: Check[] = [];
  if (recordFault !== null) {
    checks.push(
      check.bad(
        `record-fault.${id}`,
        `terminal ${id} is not being recorded: ${recordFault}`,
        'fix this; recording resumes by itself',
      ),
    );
  }
  const isLacking = quality.level === 'none' || quality.level === 'basic' || quality.level === 'degraded';
  if (state === 'live' && isLacking) {
    checks.push(
      check.warn(`marks.${id}`, `terminal ${id} (${shell}): ${quality.level}, ${quality.reason}`, fixForMarks(quality)),
    );
  }
  return checks;
}

/** The terminal's own advice may be to run `doctor`; the trial of its shell has better advice. */
function fixForMarks({ fix }: Quality): string | undefined {
  if (fix === null) return undefined;
  return fix.includes('hansard doctor') ? 'see its shell above' : fix;
}

function sameVersion(running: string): Check {
  const { version } = findAppFiles();
  if (running === version) return check.ok('version', `it is of this version (${version})`);
  return check.warn(
    'version',
    `it is of version ${running}, this command line of ${version}`,
    'close Hansard and start it again',
  );
}

/** Shells in the PTY host of a core that was killed. */
async function shellsLeft(dataFolder: string): Promise<Check[]> {
  const host = await findHost(dataFolder);
  if (!host) return [];
  return [
    check.note('shells', `shells of the last Hansard run on in ${hostName(host)}: the next start takes them over`),
  ];
}

/** Files of a core that was killed. The next start removes them by itself. */
function leftovers(dataFolder: string): Check[] {
  const lock = lstatSync(lockPath(dataFolder), { throwIfNoEntry: false });
  if (!lock || readLock(dataFolder)) return [check.ok('lock', 'no old lock stands in the way')];
  return [
    check.note(
      'lock',
      `the last one ended without letting go of ${lockPath(dataFolder)}: the next start takes it over`,
    ),
  ];
}

async function checkSocket(dataFolder: string): Promise<Check[]> {
  if (process.platform === 'win32') return [];
  const address = await readAsIs(join(dataFolder, 'core.json'), CoreAddress);
  if (!address)
    return [
      check.bad(
        'socket',
        `${join(dataFolder, 'core.json')} cannot be read any more`,
        'close Hansard and start it again',
      ),
    ];
  const { socketPath } = address;
  const stat = lstatSync(socketPath, { throwIfNoEntry: false });
  const folder = lstatSync(dirname(socketPath), { throwIfNoEntry: false });
  if (!stat || !folder)
    return [check.bad('socket', `its socket ${socketPath} is gone`, 'close Hansard and start it again')];
  return [
    judgeAccess('socket', { path: socketPath, stat, wanted: 0o600, isRight: stat.isSocket() }),
    judgeAccess('socket-folder', {
      path: dirname(socketPath),
      stat: folder,
      wanted: 0o700,
      isRight: folder.isDirectory(),
    }),
  ];
}

interface Access {
  path: string;
  stat: Stats;
  wanted: number;
  /** It is the right kind of file, and not a link. */
  isRight: boolean;
}

function judgeAccess(id: string, { path, stat, wanted, isRight }: Access): Check {
  const mode = stat.mode & 0o777;
  if (!isRight)
    return check.bad(
      id,
      `${path} is not what it should be: something stands in its place`,
      `rm ${quotePath(path)}    # then start Hansard again`,
    );
  if (stat.uid !== process.geteuid?.())
    return check.bad(
      id,
      `${path} belongs to another user (uid ${stat.uid})`,
      'close Hansard and start it again as yourself',
    );
  if (mode === wanted) return check.ok(id, `${path} is for you alone (${octal(mode)})`);
  return check.bad(
    id,
    `${path} is open to others (${octal(mode)} instead of ${octal(wanted)})`,
    `chmod ${octal(wanted)} ${quotePath(path)}`,
  );
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}
