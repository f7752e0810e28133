import { readdirSync, readFileSync } from 'node:fs';
import { procView } from '../../src-main/pty/procView.ts';
import { processStart } from '../../src-main/store/files/processIdentity.ts';

const allPids = (): number[] => readdirSync('/proc').map(Number).filter(Number.isInteger);

/** Pid of the PTY host of the data folder `home`, or null. Linux only. */
export function hostPid(home: string): number | null {
  return allPids().find((pid) => isHost(pid, home)) ?? null;
}

/** Pids of the shells in the PTY host of `home` → their start times. Linux only. */
export function hostShells(home: string): Map<number, string | null> {
  const host = hostPid(home);
  const shells = allPids().filter((pid) => host !== null && procView(pid).stat(pid)?.parent === host);
  return new Map(shells.map((pid) => [pid, processStart(pid)]));
}

function isHost(pid: number, home: string): boolean {
  try {
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return argv.includes(home) && argv.some((arg) => arg.endsWith('/ptyHost.js'));
  } catch {
    return false; // ended since /proc was listed
  }
}

/** Kills the PTY host and with it all shells, without any cleanup, as a power cut does. Kills `others` at the same moment. */
export function killHost(home: string, ...others: readonly number[]): void {
  const pids = [...others, hostPid(home) ?? 0]; // found before any kill, because the search takes time
  for (const pid of pids) if (pid !== 0) process.kill(pid, 'SIGKILL');
}
