import { type ChildProcess, type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { readLock } from '../../../src-main/store/instance/lockFile.ts';
import { CLI } from '../../support/builtProgram.ts';
import { hostPid } from '../../support/hostProcess.ts';
import { type Account, makeAccount, ownAccount } from './Account.ts';
import { findProgram, SSHD } from './findProgram.ts';
import { SshClient } from './SshClient.ts';

export interface SshdOptions {
  /** Name of the destination; default: `box`. */
  name?: string;
  /** The person's side, which several machines can share; default: a new one. */
  client?: SshClient;
  /** `other` makes a second account (root only, see `canMakeAccounts`). Both kinds have their own home and data folder. */
  account?: 'same' | 'other';
  /** Name of the login shell, which must be in PATH. */
  shell?: string;
  /** The key's passphrase. */
  passphrase?: string;
  /** The host key is not known yet, so ssh asks whether to trust the machine. */
  isUnknown?: boolean;
  /** Puts the machine behind a second destination, `NAME-jump`, of the same sshd. */
  isBehindJump?: boolean;
  /** PATH on the machine has only the programs that any machine has: no Node, no npm, no Hansard. */
  isBare?: boolean;
  /** Additional environment variables on the machine. */
  env?: Readonly<Record<string, string>>;
}

/** Programs of a bare machine. */
const ANYWHERE = (
  'sh bash dash zsh fish tcsh env uname cat tar gzip gunzip sha256sum mkdir mv cp rm rmdir ln chmod ls head tail sed grep awk cut tr id df ps ' +
  'sleep setsid dirname basename readlink stat mktemp touch getconf ldd printf true false test kill wc od dd sync find stty tty'
).split(' ');

/**
 * Starts a real sshd on 127.0.0.1 with its own config, host key and authorized_keys in a temporary folder, which ssh sees as another
 * machine. Without root, the login is this user with another home folder. The caller disposes it.
 */
export async function startSshd(options: SshdOptions = {}): Promise<Sshd> {
  const client = options.client ?? new SshClient();
  const folder = mkdtempSync(join(tmpdir(), 'hansard-sshd-'));
  const shell = findProgram(options.shell ?? 'bash');
  if (shell === null) throw new Error(`${options.shell} is not installed`);
  chmodSync(folder, 0o755); // sshd reads authorized_keys as the user who logs in
  const account = options.account === 'other' ? makeAccount(folder, shell) : ownAccount(folder);
  const port = await freePort();
  const key = client.newKey(options.passphrase);
  const files = writeFiles(folder, { port, key, shell, account, options });
  const process = await listen(files.config);
  const sshd = new Sshd(client, { name: options.name ?? 'box', port, folder, account, process });
  sshd.register({ key, isBehindJump: options.isBehindJump === true, isUnknown: options.isUnknown === true });
  return sshd;
}

interface Parts {
  name: string;
  port: number;
  folder: string;
  account: Account;
  process: ChildProcess;
}

/** A machine of the rig. */
export class Sshd {
  readonly client: SshClient;
  /** The destination name for `ssh`. */
  readonly name: string;
  /** The port of sshd, which a proxy can target. */
  readonly port: number;
  /** The home folder on the machine. */
  readonly home: string;
  readonly #parts: Parts;

  constructor(client: SshClient, parts: Parts) {
    this.client = client;
    this.name = parts.name;
    this.port = parts.port;
    this.home = parts.account.home;
    this.#parts = parts;
  }

  /** The data folder of the machine's core. */
  get dataFolder(): string {
    return join(this.home, '.local/share/hansard');
  }

  /** Process id of the machine's core; 0 if there is none. */
  get corePid(): number {
    return readLock(this.dataFolder)?.pid ?? 0;
  }

  register({ key, isBehindJump, isUnknown }: { key: string; isBehindJump: boolean; isUnknown: boolean }): void {
    const { name, port, client } = this;
    const user = this.#parts.account.name;
    const names = isBehindJump ? [`${name}-jump`, name] : [name];
    client.set({ name, port, user, key, ...(isBehindJump && { jump: `${name}-jump` }) });
    if (isBehindJump) client.set({ name: `${name}-jump`, port, user, key });
    if (!isUnknown) for (const each of names) client.trust(each, join(this.#parts.folder, 'host_key.pub'));
  }

  /** Runs a command by `ssh`, in the login shell. Resolves with its stdout; rejects when it fails. */
  async run(command: string): Promise<string> {
    const { exitCode, stdout, stderr } = await this.exec(command);
    if (exitCode !== 0) throw new Error(`ssh ended with ${exitCode}: ${stderr}`);
    return stdout;
  }

  /** Like `run`, but resolves with any exit code. Sends all of `stdin`. */
  async exec(
    command: string,
    stdin: Readable | null = null,
  ): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
    const child = this.start(command);
    const text = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (piece: string) => {
        text[name] += piece;
      });
    child.stdin.on('error', () => undefined); // the command may end before it has read everything
    if (stdin) stdin.pipe(child.stdin);
    else child.stdin.end();
    const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { exitCode, ...text };
  }

  /** Starts `ssh NAME -- command` and returns the process with its pipes; with `isTty`, the command has a terminal there. */
  start(command: string, { isTty = false } = {}): ChildProcessWithoutNullStreams {
    const env = { ...process.env, ...this.client.env };
    const options = ['-o', 'BatchMode=yes', ...(isTty ? ['-tt'] : [])];
    return spawn(join(this.client.bin, 'ssh'), [...options, this.name, '--', command], { env });
  }

  /** Writes a file into the machine's home, with its folders, owned by the machine's user. */
  write(path: string, text: string, mode = 0o644): void {
    const full = join(this.home, path);
    const made: string[] = [];
    for (let at = dirname(full); at.length > this.home.length; at = dirname(at)) made.unshift(at);
    for (const each of made) mkdirSync(each, { recursive: true });
    writeFileSync(full, text, { mode });
    const { name } = this.#parts.account;
    if (process.getuid?.() === 0) execFileSync('chown', [name, full, ...made]);
  }

  /** Makes the built Hansard of this checkout a command of the machine, so that it needs no setup. */
  installHansard(path = '.local/bin/hansard'): void {
    this.write(path, `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, 0o755);
  }

  /** Kills all connections, as if the machine were switched off; sshd still listens. */
  dropConnections(): void {
    for (const pid of descendants(this.#parts.process.pid ?? 0)) end(pid);
  }

  /** Ends the machine's core, shells and connections, and removes its folder. The caller disposes the client. */
  async dispose(): Promise<void> {
    const { process: child, account, folder } = this.#parts;
    end(this.corePid);
    end(hostPid(this.dataFolder) ?? 0); // its shells would outlive the core
    const ended = new Promise((resolve) => child.once('close', resolve));
    this.dropConnections();
    child.kill('SIGKILL');
    await ended;
    await account.dispose();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function end(pid: number): void {
  if (pid === 0) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

/** Ids of the processes that sshd has started for its connections, and of their children. */
function descendants(pid: number): number[] {
  let children: number[];
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
  return children.flatMap((child) => [...descendants(child), child]);
}

interface Wanted {
  port: number;
  key: string;
  shell: string;
  account: Account;
  options: SshdOptions;
}

function writeFiles(folder: string, { port, key, shell, account, options }: Wanted): { config: string } {
  const hostKey = join(folder, 'host_key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'rig', '-f', hostKey]);
  writeFileSync(join(folder, 'authorized_keys'), readFileSync(`${key}.pub`));
  const isOwn = options.account !== 'other';
  const env = {
    ...(options.isBare && { PATH: bareFolder(folder) }),
    ...(isOwn && { HOME: account.home, SHELL: shell }),
    ...options.env,
  };
  const variables = Object.entries(env).map(([name, value]) => `"${name}=${value}"`);
  // The login shell of this user cannot be changed, so ForceCommand passes the command to the wanted shell.
  const asShell = join(folder, 'as-shell');
  const line = `cd "$HOME"\nif [ -n "$SSH_ORIGINAL_COMMAND" ]; then exec ${shell} -c "$SSH_ORIGINAL_COMMAND"; fi\nexec ${shell} -l\n`;
  writeFileSync(asShell, `#!/bin/sh\n${line}`, { mode: 0o755 });
  const config = join(folder, 'sshd_config');
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${hostKey}`,
    `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
    'PidFile none',
    'UsePAM no',
    'StrictModes no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PrintMotd no',
    'PrintLastLog no',
    'MaxStartups 100',
    'MaxSessions 50',
    'Subsystem sftp /usr/lib/openssh/sftp-server',
    ...(variables.length > 0 ? [`SetEnv ${variables.join(' ')}`] : []),
    ...(isOwn ? [`ForceCommand ${asShell}`] : []),
  ];
  writeFileSync(config, `${lines.join('\n')}\n`);
  return { config };
}

function bareFolder(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const name of ANYWHERE) {
    const path = findProgram(name);
    if (path !== null) symlinkSync(path, join(bin, name));
  }
  return bin;
}

function listen(config: string): Promise<ChildProcess> {
  if (SSHD === null) throw new Error('sshd is not installed');
  // As root, sshd separates privileges in this folder, which Debian makes when the service starts.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const child = spawn(SSHD, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (data: Buffer) => {
      said += data.toString();
      if (said.includes('Server listening')) resolve(child);
    });
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`sshd ended with ${code}: ${said}`)));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
