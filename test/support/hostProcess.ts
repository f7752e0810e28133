import { readdirSync, readFileSync } from 'node:fs';

/** Pid of the PTY host of the data folder `home`, or null. Linux only. */
export function hostPid(home: string): number | null {
  return (
    readdirSync('/proc')
      .map(Number)
      .filter(Number.isInteger)
      .find((pid) => isHost(pid, home)) ?? null
  );
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
