import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { refsFolder } from '../projects/readProject.ts';
import { replaceFile } from '../store/files/replaceFile.ts';
import type { WorkTree } from '../store/record/gitBranch.ts';
import { type Env, GitFault, runGit } from './git.ts';

const NOWHERE = process.platform === 'win32' ? 'NUL' : '/dev/null';
/** Only these of the person's git settings change what a snapshot holds or how it is stored. */
const READ_KEYS = '^(core\\.(excludesfile|ignorecase|precomposeunicode)|extensions\\.objectformat)$';
const CONFIG_LIMIT_MS = 5_000;
/** Turns off line ends, encodings, keywords and filters of the person's attributes, so that a snapshot has the exact bytes of every file. */
const ATTRIBUTES = '* -text !eol -ident !working-tree-encoding !filter\n';

export interface ShadowSpec {
  readonly tree: WorkTree;
  /** Our own folder, which has a config and an index and nothing else. */
  readonly folder: string;
  readonly env: Env;
  /** Kills the git process that runs. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A git folder of our own over the person's work tree and object store. Git reads no config of the repository, the person or the system through it, so
 * neither a filter, a hook, fsmonitor, textconv nor an external diff can run. It also has its own index.
 */
export class Shadow {
  readonly tree: WorkTree;
  /** The folder with the refs and objects of the repository. */
  readonly common: string;
  readonly folder: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #ownEnv: Readonly<Record<string, string>>;
  readonly #signal: AbortSignal | undefined;
  /** The work tree, or our own folder if the work tree is gone. */
  readonly #cwd: string;

  private constructor({ tree, folder, env, signal }: ShadowSpec, { common, cwd }: { common: string; cwd: string }) {
    this.tree = tree;
    this.common = common;
    this.folder = folder;
    this.#signal = signal;
    this.#cwd = cwd;
    this.#ownEnv = plainEnv(env);
    this.#env = {
      ...this.#ownEnv,
      ...{ HOME: folder, XDG_CONFIG_HOME: folder, GIT_CONFIG_GLOBAL: NOWHERE, GIT_CONFIG_SYSTEM: NOWHERE },
      ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_ATTR_NOSYSTEM: '1', GIT_DIR: folder, GIT_WORK_TREE: tree.root },
      ...{ GIT_OBJECT_DIRECTORY: join(common, 'objects'), GIT_INDEX_FILE: join(folder, 'index') },
      ...{ GIT_LITERAL_PATHSPECS: '1', GIT_NO_REPLACE_OBJECTS: '1' },
      ...identity('AUTHOR'),
      ...identity('COMMITTER'),
    };
  }

  /** Rejects with a `GitFault`, or with a `ForeignRepository` for a repository of another user. */
  static async open(spec: ShadowSpec): Promise<Shadow> {
    const common = await refsFolder(spec.tree);
    await requireOwn([spec.tree.gitFolder, common]);
    const hasRoot = await stat(spec.tree.root).then(
      (found) => found.isDirectory(),
      () => false, // the work tree was removed, but its snapshots can still be read
    );
    await mkdir(spec.folder, { recursive: true, mode: 0o700 });
    const shadow = new Shadow(spec, { common, cwd: hasRoot ? spec.tree.root : spec.folder });
    await shadow.#prepare();
    return shadow;
  }

  get index(): string {
    return join(this.folder, 'index');
  }

  /** Runs a command over our own index and the person's work tree. */
  run(args: readonly string[], limitMs: number, more: { input?: Uint8Array; maxBytes?: number } = {}): Promise<Buffer> {
    return runGit({ args, env: this.#env, cwd: this.#cwd, limitMs, signal: this.#signal, ...more });
  }

  /** Runs a command that needs objects only, so it works even if the work tree is gone. */
  read(args: readonly string[], limitMs: number, maxBytes?: number): Promise<Buffer> {
    return runGit({ args, env: this.#env, cwd: this.folder, limitMs, ...(maxBytes !== undefined && { maxBytes }) });
  }

  /** Runs a command in the person's repository, for refs and lists. Programs that its config names are turned off. */
  runInRepository(args: readonly string[], limitMs: number, input?: Uint8Array): Promise<Buffer> {
    const { root, gitFolder } = this.tree;
    return runGit({
      args: [...QUIET, `--git-dir=${gitFolder}`, `--work-tree=${root}`, ...args],
      ...{ env: this.#ownEnv, cwd: this.#cwd, limitMs, signal: this.#signal },
      ...(input && { input }),
    });
  }

  async #prepare(): Promise<void> {
    await mkdir(join(this.folder, 'refs'), { recursive: true, mode: 0o700 });
    await mkdir(join(this.folder, 'info'), { recursive: true, mode: 0o700 });
    const exclude = await readFile(join(this.common, 'info', 'exclude')).catch(() => Buffer.alloc(0)); // the file is optional
    const files: [string, string | Uint8Array][] = [
      ['HEAD', 'ref: refs/heads/none\n'],
      ['config', await this.#config()],
      [join('info', 'attributes'), ATTRIBUTES],
      [join('info', 'exclude'), exclude],
    ];
    for (const [name, text] of files) {
      const path = join(this.folder, name);
      const before = await readFile(path).catch(() => null); // the file does not exist yet
      if (!before?.equals(Buffer.from(text))) await replaceFile(path, text, { fsync: false });
    }
  }

  async #config(): Promise<string> {
    const args = ['config', '-z', '--get-regexp', READ_KEYS];
    const found = await this.runInRepository(args, CONFIG_LIMIT_MS).catch((error: unknown) => {
      if (error instanceof GitFault && error.why === 'failed') return Buffer.alloc(0); // git found no value for these keys
      throw error;
    });
    const values = new Map<string, string>();
    for (const item of found.toString().split('\0')) {
      const [key = '', ...value] = item.split('\n');
      values.set(key, value.join('\n'));
    }
    return configText(values, this.#ownEnv);
  }
}

/** The repository or its refs belong to another user of the machine, so Hansard must not write to it. */
export class ForeignRepository extends Error {}

async function requireOwn(folders: readonly string[]): Promise<void> {
  const own = process.getuid?.();
  for (const folder of new Set(folders)) {
    const { uid } = await stat(folder);
    if (own !== undefined && uid !== own) throw new ForeignRepository(`${folder} belongs to another user`);
  }
}

/** Overrides settings that could run a program or write more than requested. */
const QUIET = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.logAllRefUpdates=false', 'gc.auto=0'].flatMap(
  (setting) => ['-c', setting],
);

/** Returns the person's environment without `GIT_…` variables, which could name another repository. */
export function plainEnv(env: Env): Record<string, string> {
  const kept = Object.entries(env).filter(([name, value]) => value !== undefined && !name.startsWith('GIT_'));
  const own = { GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_PAGER: 'cat', LC_ALL: 'C' };
  return { ...(Object.fromEntries(kept) as Record<string, string>), ...own };
}

/** Returns the arguments with which git reads and writes refs of a repository whose work tree may be gone. */
export function repositoryArgs(common: string): string[] {
  return [...QUIET, `--git-dir=${common}`];
}

function identity(role: 'AUTHOR' | 'COMMITTER'): Record<string, string> {
  return { [`GIT_${role}_NAME`]: 'Hansard', [`GIT_${role}_EMAIL`]: 'hansard@localhost' };
}

function configText(values: ReadonlyMap<string, string>, env: Env): string {
  const format = values.get('extensions.objectformat');
  const isTrue = (key: string) => values.get(key) === 'true';
  const excludes = values.get('core.excludesfile') ?? defaultExcludes(env);
  return [
    '[core]',
    `repositoryformatversion = ${format === undefined ? 0 : 1}`,
    ...(process.platform === 'win32' ? [] : ['filemode = true', 'symlinks = true']),
    `ignorecase = ${isTrue('core.ignorecase')}`,
    `precomposeunicode = ${isTrue('core.precomposeunicode')}`,
    'logAllRefUpdates = false',
    ...(excludes === null ? [] : [`excludesfile = ${quoted(excludes.replace(/^~(?=\/)/, env.HOME ?? '~'))}`]),
    ...(format === undefined ? [] : ['[extensions]', `objectformat = ${quoted(format)}`]),
    '[gc]',
    'auto = 0',
    '',
  ].join('\n');
}

/** Returns the excludes file that git uses by default. */
function defaultExcludes({ XDG_CONFIG_HOME, HOME }: Env): string | null {
  if (XDG_CONFIG_HOME) return join(XDG_CONFIG_HOME, 'git', 'ignore');
  return HOME ? join(HOME, '.config', 'git', 'ignore') : null;
}

function quoted(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}
