import { constants } from 'node:os';

const NAMES = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** POSIX shells report a command ended by signal n as 128 + n; there are 64 signals. */
const SIGNAL_BASE = 128;

/** `130` → `SIGINT` on this platform; undefined for other statuses. */
export function signalOfStatus(exitCode: number | null): string | undefined {
  return exitCode === null || exitCode <= SIGNAL_BASE ? undefined : NAMES.get(exitCode - SIGNAL_BASE);
}
