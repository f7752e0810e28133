import { readdirSync, readFileSync } from 'node:fs';

/** The PTY host of the data folder `home`; null when there is none. Linux only. */
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
    return false; // gone since the folder was read
  }
}

/** As a power cut does it: with the host its shells end, and nothing is tidied up. `others` are killed in the same moment. */
export function killHost(home: string, ...others: readonly number[]): void {
  const pids = [...others, hostPid(home) ?? 0]; // found first: looking takes a moment
  for (const pid of pids) if (pid !== 0) process.kill(pid, 'SIGKILL');
}
