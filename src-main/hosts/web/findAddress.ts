import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readLock } from '../../store/instance/lockFile.ts';
import { CoreAddress, inFolder } from './coreAddress.ts';

/** A core reads its record before it listens: some milliseconds, or some seconds when it finds fifty terminals to mend. */
const START_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 40;

export type AddressFound =
  | { status: 'ok'; address: CoreAddress }
  /** Nobody holds the data folder (any more). */
  | { status: 'none' }
  /** The process `pid` holds it and has not said where it listens for longer than any start takes. */
  | { status: 'silent'; pid: number };

/**
 * Where the core that holds `dataFolder` listens. One that is just starting is waited for; what an earlier core left in core.json
 * is not taken for its word. Moves nothing away and never takes the lock.
 */
export async function findAddress(dataFolder: string, withinMs = START_WITHIN_MS): Promise<AddressFound> {
  for (const until = Date.now() + withinMs; ; await sleep(LOOK_EVERY_MS)) {
    const owner = readLock(dataFolder);
    if (!owner) return { status: 'none' };
    const address = await readAddress(dataFolder);
    if (address?.pid === owner.pid) return { status: 'ok', address };
    if (Date.now() >= until) return { status: 'silent', pid: owner.pid };
  }
}

async function readAddress(dataFolder: string): Promise<CoreAddress | null> {
  try {
    return inFolder(dataFolder, CoreAddress.parse(JSON.parse(await readFile(join(dataFolder, 'core.json'), 'utf8'))));
  } catch {
    return null; // not written yet, or no address of ours: both mean that nobody has said where to go
  }
}
