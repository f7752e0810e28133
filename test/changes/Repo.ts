import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Shadow } from '../../src-main/changes/Shadow.ts';
import { findWorkTree } from '../../src-main/store/record/gitBranch.ts';

/** A person's repository in its own folder, with a home without settings. */
export class Repo {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'hansard-changes-')));
  readonly root = join(this.folder, 'work');
  readonly env = { PATH: process.env.PATH, HOME: join(this.folder, 'home') };

  constructor(name = 'main') {
    mkdirSync(this.root, { recursive: true });
    mkdirSync(this.env.HOME);
    this.git('init', '-q', '-b', name);
  }

  git(...args: string[]): string {
    return this.gitIn(this.root, ...args);
  }

  gitIn(cwd: string, ...args: string[]): string {
    const own = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'protocol.file.allow=always'];
    return execFileSync('git', [...own, ...args], { cwd, env: this.env, stdio: 'pipe' }).toString('latin1');
  }

  /** Runs git with a separate index. */
  gitApart(...args: string[]): string {
    const env = { ...this.env, GIT_INDEX_FILE: join(this.folder, 'apart') };
    return execFileSync('git', args, { cwd: this.root, env, stdio: 'pipe' }).toString('latin1');
  }

  write(path: string, text: string | Uint8Array): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  commit(message = 'one'): void {
    this.git('add', '-A');
    this.git('commit', '-qm', message, '--allow-empty');
  }

  async shadow(cwd = this.root): Promise<Shadow> {
    const tree = await findWorkTree(cwd);
    if (!tree) throw new Error(`${cwd} is in no work tree`);
    return Shadow.open({ tree, folder: join(this.folder, 'shadow'), env: this.env });
  }

  /** The person's files: all of the work tree and of `.git`, except objects and our refs. */
  fingerprint(): string[] {
    return walk(this.root)
      .filter((path) => !/^\.git\/(objects\/|refs\/hansard(\/|$))/.test(path))
      .map((path) => `${path} ${factsOf(join(this.root, path))}`);
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function factsOf(path: string): string {
  const { mode, mtimeNs } = lstatSync(path, { bigint: true });
  const isFolder = (Number(mode) & 0o170000) === 0o040000;
  return `${mode.toString(8)} ${isFolder ? '' : `${mtimeNs} ${hashOf(contentOf(path))}`}`;
}

/** The bytes of a file, or the target of a link. */
export function contentOf(path: string): Buffer {
  return lstatSync(path).isSymbolicLink() ? readlinkSync(path, 'buffer') : readFileSync(path);
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('hex');
}

export function blobId(bytes: Uint8Array): string {
  return hashOf(Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]));
}

function walk(root: string, under = ''): string[] {
  return readdirSync(join(root, under), { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(under, entry.name);
      return entry.isDirectory() ? [path, ...walk(root, path)] : [path];
    })
    .sort();
}
