import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findProgram } from './findProgram.ts';

export interface Destination {
  name: string;
  port: number;
  user: string;
  /** A path; null: no key, so that ssh is refused. */
  key: string | null;
  /** Another destination that it is reached through. */
  jump?: string;
}

/**
 * The person's side: a home folder with ~/.ssh, and an `ssh` to put in front in PATH. ssh takes its config from the account's home whatever HOME says,
 * so the one in PATH names the file. Passwords, agents and the machine's own config play no part.
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

  /** What a program needs to be this person: it runs our `ssh`, and finds the config in HOME. */
  get env(): { HOME: string; PATH: string } {
    return { HOME: this.home, PATH: `${this.bin}${delimiter}${process.env.PATH ?? ''}` };
  }

  get knownHosts(): string {
    return join(this.#folder, 'known_hosts');
  }

  /** Makes a key and returns its path; its public half is beside it. */
  newKey(passphrase = ''): string {
    const path = join(this.#folder, `key${this.#destinations.size}-${Date.now()}`);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-C', 'rig', '-f', path]);
    return path;
  }

  /** Adds a destination, or changes it: another port is how a proxy is put in between. */
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
