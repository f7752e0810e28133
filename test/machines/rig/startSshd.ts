import { type ChildProcess, type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { readLock } from '../../../src-main/store/instance/lockFile.ts';
import { CLI } from '../../support/builtProgram.ts';
import { type Account, makeAccount, ownAccount } from './Account.ts';
import { findProgram, SSHD } from './findProgram.ts';
import { SshClient } from './SshClient.ts';

export interface SshdOptions {
  /** Of the destination; `box` if not given. */
  name?: string;
  /** The person's side, shared by several machines; one of its own if not given. */
  client?: SshClient;
  /** `other` makes a second account (root only, see `canMakeAccounts`). Both have a home, and so a data folder, of their own. */
  account?: 'same' | 'other';
  /** The login shell: a name that PATH finds. */
  shell?: string;
  /** The key's passphrase. */
  passphrase?: string;
  /** ssh asks whether to trust the machine. */
  isUnknown?: boolean;
  /** Through a second destination, `NAME-jump`, of the same sshd. */
  isBehindJump?: boolean;
  /** PATH there has only what any machine has: no Node, no npm, no Hansard. */
  isBare?: boolean;
  /** Further variables of what runs there. */
  env?: Readonly<Record<string, string>>;
}

/** What a bare machine has. */
const ANYWHERE = (
  'sh bash dash zsh fish tcsh env uname cat tar gzip gunzip sha256sum mkdir mv cp rm rmdir ln chmod ls head tail sed grep awk cut tr id df ps ' +
  'sleep setsid dirname basename readlink stat mktemp touch getconf ldd printf true false test kill wc od dd sync find stty tty'
).split(' ');

/**
 * A real sshd on 127.0.0.1 with its own config, host key and authorized_keys in a temporary folder: another machine, as far as ssh can see. Without root
 * it logs in as this user, in another home folder. The caller disposes it.
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
  /** What `ssh` is called with. */
  readonly name: string;
  /** Where it listens; a proxy's target. */
  readonly port: number;
  /** The home folder there. */
  readonly home: string;
  readonly #parts: Parts;

  constructor(client: SshClient, parts: Parts) {
    this.client = client;
    this.name = parts.name;
    this.port = parts.port;
    this.home = parts.account.home;
    this.#parts = parts;
  }

  /** Where a core there keeps its record. */
  get dataFolder(): string {
    return join(this.home, '.local/share/hansard');
  }

  /** The process of the core there; 0 if there is none. */
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

  /** Runs a command there as `ssh` does, in the login shell. Resolves with what it printed; rejects when it fails. */
  async run(command: string): Promise<string> {
    const { exitCode, stdout, stderr } = await this.exec(command);
    if (exitCode !== 0) throw new Error(`ssh ended with ${exitCode}: ${stderr}`);
    return stdout;
  }

  /** As `run`, whatever its exit code; `stdin` is sent whole. */
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
    child.stdin.on('error', () => undefined); // the command has ended before it read everything
    if (stdin) stdin.pipe(child.stdin);
    else child.stdin.end();
    const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { exitCode, ...text };
  }

  /** `ssh NAME -- command` with its pipes. */
  start(command: string): ChildProcessWithoutNullStreams {
    const env = { ...process.env, ...this.client.env };
    return spawn(join(this.client.bin, 'ssh'), ['-o', 'BatchMode=yes', this.name, '--', command], { env });
  }

  /** Writes a file there, with its folders, as that user. */
  write(path: string, text: string, mode = 0o644): void {
    const full = join(this.home, path);
    const made: string[] = [];
    for (let at = dirname(full); at.length > this.home.length; at = dirname(at)) made.unshift(at);
    for (const each of made) mkdirSync(each, { recursive: true });
    writeFileSync(full, text, { mode });
    const { name } = this.#parts.account;
    if (process.getuid?.() === 0) execFileSync('chown', [name, full, ...made]);
  }

  /** The built Hansard of this checkout as a command there: a machine that needs no set-up. */
  installHansard(path = '.local/bin/hansard'): void {
    this.write(path, `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, 0o755);
  }

  /** Ends all connections, as a machine that is switched off would; it still listens. */
  dropConnections(): void {
    for (const pid of descendants(this.#parts.process.pid ?? 0)) end(pid);
  }

  /** Ends everything that ran there, and removes it. The client belongs to the caller if he gave it. */
  async dispose(): Promise<void> {
    const { process: child, account, folder } = this.#parts;
    end(this.corePid);
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
    // it has ended
  }
}

/** The processes that sshd has started for its connections, and what they run. */
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
  // As this user the login shell cannot be chosen: what was asked for is handed to the shell that is wanted.
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
  // sshd as root leaves its rights to a user in this folder, which Debian makes when the service starts
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
