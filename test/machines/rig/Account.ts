import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The user that a machine's programs run as. */
export interface Account {
  readonly name: string;
  readonly home: string;
  /** Ends the account's processes and removes the account. */
  dispose(): Promise<void>;
}

/** The current user with another home, which needs no root. The caller ends the processes that it starts. */
export function ownAccount(folder: string): Account {
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  return { name: userInfo().username, home, dispose: () => Promise.resolve() };
}

/** A new user that `dispose` removes. Needs root. */
export function makeAccount(folder: string, shell: string): Account {
  const name = `hansard${randomBytes(4).toString('hex')}`;
  const home = join(folder, 'home');
  // The password `*` allows no login but does not lock the account. The default locks it, and sshd refuses locked accounts.
  execFileSync('useradd', ['--no-create-home', '--home-dir', home, '--shell', shell, '--password', '*', name]);
  mkdirSync(home, { mode: 0o700 });
  const [uid, gid] = ['-u', '-g'].map((which) => Number(execFileSync('id', [which, name], { encoding: 'utf8' })));
  if (uid === undefined || gid === undefined) throw new Error(`no ids of ${name}`);
  chownSync(home, uid, gid);
  chmodSync(folder, 0o755);
  const dispose = async (): Promise<void> => {
    while (endAll(uid) > 0) await sleep(5);
    execFileSync('userdel', [name], { stdio: 'ignore' });
    rmSync(home, { recursive: true, force: true });
  };
  return { name, home, dispose };
}

/** Kills every process of a user and returns their number. */
function endAll(uid: number): number {
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && ownerOf(entry) === uid);
  for (const pid of pids) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  }
  return pids.length;
}

function ownerOf(pid: string): number | null {
  try {
    return statSync(join('/proc', pid)).uid;
  } catch {
    return null;
  }
}
