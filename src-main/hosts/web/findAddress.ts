import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSmall } from '../../store/files/readPiece.ts';
import { readLock } from '../../store/instance/lockFile.ts';
import { CoreAddress, inFolder } from './coreAddress.ts';

/** A core reads its record before it listens: some milliseconds, or some seconds to repair fifty terminals. */
const START_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 40;

export type AddressFound =
  | { status: 'ok'; address: CoreAddress }
  /** No process owns the data folder (any more). */
  | { status: 'none' }
  /** The process `pid` owns it, but has not published its address within the time of any start. */
  | { status: 'silent'; pid: number };

/**
 * The address of the core that owns `dataFolder`. Waits for one that is starting; ignores the core.json of an earlier core. Moves nothing and never
 * takes the lock.
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
    return inFolder(dataFolder, CoreAddress.parse(JSON.parse(await readSmall(join(dataFolder, 'core.json')))));
  } catch {
    return null; // not written yet, or not an address of ours: in both cases there is no address
  }
}
