import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TerminalView } from '../contract/terminal.ts';
import type { LaunchPlan } from '../shells/launchPlan.ts';
import type { NestedShell } from '../shells/nestedShell.ts';
import type { Clock } from '../util/Clock.ts';
import { type IDisposable, toDisposable } from '../util/Disposables.ts';
import type { Event } from '../util/Emitter.ts';
import type { ShellCatalog } from './ShellCatalog.ts';

/** A shell reads a line at once; a file that nobody has read by then is taken away. */
const UNREAD_MS = 60_000;

interface LoaderDeps {
  shells: ShellCatalog;
  /** Where the files stand for a moment; made 0700. */
  folder: string;
  clock: Clock;
  randomId: (bytes: number) => string;
}

/**
 * Loads the hook into a shell that is about to start, or that somebody started within ours. The nonce goes through a file (0600) that the
 * hook empties as it reads it: an environment and arguments can be read by every later process of the same user.
 */
export class HookLoader {
  readonly #deps: LoaderDeps;

  constructor(deps: LoaderDeps) {
    this.#deps = deps;
  }

  nested(argv: readonly string[]): NestedShell | null {
    return this.#deps.shells.nested(argv);
  }

  /**
   * How the shell at `path` starts with its hook. Dispose `nonceFile` once the hook has read it. When the data folder's disk refuses the
   * file, it goes to a private folder among the system's temporary files; when that fails too, the shell starts without its hook.
   */
  plan(
    path: string | undefined,
    nonce: string,
    env: Readonly<Record<string, string | undefined>>,
  ): { plan: LaunchPlan; nonceFile: IDisposable } {
    const argv = path === undefined ? [] : [path];
    const { shells } = this.#deps;
    const hasHook = shells.plan({ argv }, '', env).integration === 'hook';
    const written = hasHook ? (this.#writeNonce(nonce) ?? this.#writeNonceElsewhere(nonce)) : null;
    return {
      plan: shells.plan({ argv }, written?.path ?? null, env),
      nonceFile: toDisposable(() => written && rmSync(written.remove, { recursive: true, force: true })),
    };
  }

  /** The line to be typed at the shell with this argument vector, or null when it has no hook. Throws when the disk refuses. */
  line(argv: readonly string[], nonce: string): string | null {
    const path = this.#newPath('join');
    const nonceFile = this.#newPath('nonce');
    const source = this.#deps.shells.sourceLines(argv, nonceFile);
    if (source === null) return null;
    this.#write(nonceFile, `${nonce}\n`);
    // The shell that reads these lines has loaded the hook by then and no longer needs the files, so a join leaves neither behind.
    this.#write(path, `command rm -f -- ${quoted(path)}\n${source}\ncommand rm -f -- ${quoted(nonceFile)}\n`);
    for (const file of [path, nonceFile]) this.#deps.clock.after(UNREAD_MS, () => rmSync(file, { force: true }));
    return ` source ${quoted(path)}`; // the space keeps it out of most histories
  }

  /** A shell that is at its prompt has read its file, and one that has ended never will. */
  removeOnceRead(nonceFile: IDisposable, onChanged: Event<Pick<TerminalView, 'atPrompt' | 'state'>>): IDisposable {
    const listening = onChanged(({ atPrompt, state }) => {
      if (!atPrompt && state !== 'exited') return;
      nonceFile.dispose();
      listening.dispose();
    });
    return listening;
  }

  #writeNonce(nonce: string): { path: string; remove: string } | null {
    const path = this.#newPath('nonce');
    try {
      this.#write(path, `${nonce}\n`);
      return { path, remove: path };
    } catch {
      rmSync(path, { force: true });
      return null; // the caller has another place
    }
  }

  #writeNonceElsewhere(nonce: string): { path: string; remove: string } | null {
    let folder: string | null = null;
    try {
      folder = mkdtempSync(join(tmpdir(), 'hansard-nonce-')); // 0700
      const path = join(folder, 'nonce');
      writeFileSync(path, `${nonce}\n`, { mode: 0o600, flag: 'wx' });
      return { path, remove: folder };
    } catch {
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
      return null; // the launch plan gives the reason
    }
  }

  #newPath(kind: string): string {
    return join(this.#deps.folder, `${kind}-${this.#deps.randomId(8)}`);
  }

  #write(path: string, text: string): void {
    mkdirSync(this.#deps.folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  }
}

/** For every POSIX shell, zsh and fish. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
