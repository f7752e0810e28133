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

/** A shell reads a line at once; a file that is unread by then is removed. */
const UNREAD_MS = 60_000;

interface LoaderDeps {
  shells: ShellCatalog;
  /** Folder for these short-lived files; made 0700. */
  folder: string;
  clock: Clock;
  randomId: (bytes: number) => string;
}

/**
 * Loads the hook into a shell that is about to start, or that runs inside ours. The nonce goes through a file (0600) that the
 * hook empties as it reads it: later processes of the same user could read an environment or arguments.
 */
export class HookLoader implements IDisposable {
  readonly #deps: LoaderDeps;
  /** Remove the files of lines that no shell may have read yet. */
  readonly #removals = new Set<IDisposable>();

  constructor(deps: LoaderDeps) {
    this.#deps = deps;
  }

  nested(argv: readonly string[]): NestedShell | null {
    return this.#deps.shells.nested(argv);
  }

  /**
   * Plans the start of the shell at `path` with its hook. Dispose `nonceFile` once the hook has read it. If the data folder's disk refuses
   * the file, it goes to a private folder among the system's temporary files; if that fails too, the shell starts without its hook.
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

  /** The line to type at the shell with this argument vector, or null if it has no hook. Throws errors of the disk. */
  line(argv: readonly string[], nonce: string): string | null {
    const path = this.#newPath('join');
    const nonceFile = this.#newPath('nonce');
    const source = this.#deps.shells.sourceLines(argv, nonceFile);
    if (source === null) return null;
    this.#write(nonceFile, `${nonce}\n`);
    // A shell that has read these lines has loaded the hook and no longer needs the files, so the lines remove both.
    this.#write(path, `command rm -f -- ${quoted(path)}\n${source}\ncommand rm -f -- ${quoted(nonceFile)}\n`);
    this.#removeLater([path, nonceFile]);
    return ` source ${quoted(path)}`; // the space keeps it out of most histories
  }

  /** Removes the file when the shell is at its prompt, and so has read it, or has exited. */
  removeOnceRead(nonceFile: IDisposable, onChanged: Event<Pick<TerminalView, 'atPrompt' | 'state'>>): IDisposable {
    const listening = onChanged(({ atPrompt, state }) => {
      if (!atPrompt && state !== 'exited') return;
      nonceFile.dispose();
      listening.dispose();
    });
    return listening;
  }

  /** Removes all files that are still there. */
  dispose(): void {
    for (const removal of this.#removals) removal.dispose();
  }

  #removeLater(files: readonly string[]): void {
    const removal = toDisposable(() => {
      timer.dispose();
      this.#removals.delete(removal);
      for (const file of files) rmSync(file, { force: true });
    });
    const timer = this.#deps.clock.after(UNREAD_MS, () => removal.dispose());
    this.#removals.add(removal);
  }

  #writeNonce(nonce: string): { path: string; remove: string } | null {
    const path = this.#newPath('nonce');
    try {
      this.#write(path, `${nonce}\n`);
      return { path, remove: path };
    } catch {
      rmSync(path, { force: true });
      return null; // the caller tries another folder
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

/** Quotes text for POSIX shells, zsh and fish. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
