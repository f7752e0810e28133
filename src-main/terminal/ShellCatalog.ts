import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { ShellChoice } from '../contract/api.ts';
import type { TerminalMeta } from '../contract/terminal.ts';
import { discoverShells, type FoundShell } from '../shells/discoverShells.ts';
import { type Hook, inUrl, type LaunchPlan, launchPlan, shellName } from '../shells/launchPlan.ts';
import { type NestedShell, nestedShell } from '../shells/nestedShell.ts';
import { readHooks } from '../shells/readHooks.ts';
import { completeEnv } from './loginEnv.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The shells of this machine and how to start each. Reads the hooks and /etc/shells once. */
export class ShellCatalog {
  readonly #hooksDir: string;
  readonly #hooks: readonly Hook[];
  readonly #found: readonly FoundShell[];
  #completeEnv: Promise<Env> | null = null;
  readonly #env: Env;
  /** Unusable hook files, with the reason. */
  readonly refused: readonly { path: string; reason: string }[];

  constructor({ hooksDir, env }: { hooksDir: string; env: Env }) {
    const { hooks, refused } = readHooks(hooksDir, { readdirSync: (folder) => readdirSync(folder), readFileSync });
    this.#hooksDir = hooksDir;
    this.#env = env;
    this.#hooks = hooks;
    this.refused = refused;
    this.#found = discoverShells({ env, loginShell: userInfo().shell, readText, isExecutable });
  }

  get choices(): ShellChoice[] {
    return this.#found.map(({ path, name }) => ({
      path,
      name,
      integration: this.#hooks.some(({ header }) => header.shells.includes(name)),
    }));
  }

  get defaultPath(): string {
    return this.#found[0]?.path ?? '/bin/sh';
  }

  /** Our environment, completed from the login shell, which runs once. */
  completeEnv(): Promise<Env> {
    this.#completeEnv ??= completeEnv(this.#env, this.defaultPath);
    return this.#completeEnv;
  }

  /** `wanted` is a path, a name, or '' for the default. Throws an error that names the program if it cannot be run. */
  choose(wanted: string): { path: string; name: string } {
    const path = wanted === '' ? this.defaultPath : (this.#found.find(({ name }) => name === wanted)?.path ?? wanted);
    if (!isExecutable(path)) {
      const known = this.#found.map(({ name }) => name).join(', ');
      throw new Error(`"${path}" cannot be run. Shells on this machine: ${known || 'none'}`);
    }
    return { path, name: shellName(path) };
  }

  /** On macOS, terminals start login shells, and people's start-up files rely on it. */
  plan(meta: Pick<TerminalMeta, 'argv'>, nonceFile: string | null, env: Env): LaunchPlan {
    const shellPath = meta.argv[0] ?? this.defaultPath;
    return launchPlan({
      shellPath,
      hooks: this.#hooks,
      hooksDir: this.#hooksDir,
      nonceFile,
      login: process.platform === 'darwin',
      env,
    });
  }

  nested(argv: readonly string[]): NestedShell | null {
    return nestedShell(argv, this.#hooks);
  }

  /** The lines that load the hook into the shell with this argument vector; null if it has no hook. */
  sourceLines(argv: readonly string[], nonceFile: string): string | null {
    const hook = this.nested(argv)?.hook;
    if (!hook || hook.header.source === '') return null;
    const paths: Record<string, string> = { hook: hook.path, nonceFile };
    return hook.header.source.replace(/\{(hook|nonceFile)(\.url)?\}/g, (_, name: string, url?: string) => {
      const path = paths[name] ?? '';
      return url === undefined ? path.replaceAll("'", "'\\''") : inUrl(path);
    });
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null; // this machine has no /etc/shells
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // missing or not executable: the caller treats both alike
  }
}
