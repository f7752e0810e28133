import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findProgram } from './findProgram.ts';

export interface Destination {
  name: string;
  port: number;
  user: string;
  /** Path of the key; null for no key, so that sshd refuses the login. */
  key: string | null;
  /** Name of the destination to jump through. */
  jump?: string;
}

/**
 * The person's side: a home folder with ~/.ssh, and an `ssh` for the front of PATH. ssh reads its config from the account's home and
 * ignores HOME, so this `ssh` passes the file with -F. Passwords, ssh agents and the machine's own config are not used.
 */
export class SshClient {
  readonly home = mkdtempSync(join(tmpdir(), 'hansard-ssh-'));
  readonly bin = join(this.home, 'bin');
  readonly #folder = join(this.home, '.ssh');
  readonly #config = join(this.#folder, 'config');
  readonly #destinations = new Map<string, Destination>();

  constructor() {
    mkdirSync(this.#folder, { mode: 0o700 });
    mkdirSync(this.bin);
    for (const name of ['ssh', 'scp']) {
      const script = `#!/bin/sh\nexec ${findProgram(name) ?? name} -F '${this.#config}' "$@"\n`;
      writeFileSync(join(this.bin, name), script, { mode: 0o755 });
    }
    writeFileSync(this.knownHosts, '', { mode: 0o600 });
    this.#write();
  }

  /** Environment of the person's programs: PATH has our `ssh`, HOME has the config. */
  get env(): { HOME: string; PATH: string } {
    return { HOME: this.home, PATH: `${this.bin}${delimiter}${process.env.PATH ?? ''}` };
  }

  get knownHosts(): string {
    return join(this.#folder, 'known_hosts');
  }

  /** Makes a key pair and returns the path of the private key. */
  newKey(passphrase = ''): string {
    const path = join(this.#folder, `key${this.#destinations.size}-${Date.now()}`);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-C', 'rig', '-f', path]);
    return path;
  }

  /** Adds or changes a destination; another port puts a proxy in between. */
  set(destination: Destination): void {
    this.#destinations.set(destination.name, destination);
    this.#write();
  }

  /** Changes the port of a destination. */
  point(name: string, port: number): void {
    const destination = this.#destinations.get(name);
    if (!destination) throw new Error(`no destination ${name}`);
    this.set({ ...destination, port });
  }

  /** Trusts a machine's key, as after the first connection. */
  trust(name: string, publicKeyFile: string): void {
    const [kind = '', key = ''] = readFileSync(publicKeyFile, 'utf8').split(' ');
    writeFileSync(this.knownHosts, `${name} ${kind} ${key}\n`, { flag: 'a' });
  }

  dispose(): void {
    rmSync(this.home, { recursive: true, force: true });
  }

  #write(): void {
    const hosts = [...this.#destinations.values()].map(
      ({ name, port, user, key, jump }) =>
        `Host ${name}\n  HostName 127.0.0.1\n  Port ${port}\n  User ${user}\n  HostKeyAlias ${name}\n${
          key === null ? '  PubkeyAuthentication no\n' : `  IdentityFile ${key}\n`
        }${jump === undefined ? '' : `  ProxyJump ${jump}\n`}`,
    );
    const all = `Host *\n  IdentitiesOnly yes\n  IdentityAgent none\n  UserKnownHostsFile ${this.knownHosts}\n  GlobalKnownHostsFile none\n  UpdateHostKeys no\n`;
    writeFileSync(this.#config, `${hosts.join('\n')}\n${all}`);
    chmodSync(this.#config, 0o600);
  }
}
