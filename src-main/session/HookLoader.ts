import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NestedShell } from '../shells/nestedShell.ts';
import type { Clock } from '../util/Clock.ts';
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
 * Loads the hook into a shell that somebody started within ours. The nonce goes through a file that removes itself, never through
 * the typed line, which a shell may keep in its history.
 */
export class HookLoader {
  readonly #deps: LoaderDeps;

  constructor(deps: LoaderDeps) {
    this.#deps = deps;
  }

  nested(argv: readonly string[]): NestedShell | null {
    return this.#deps.shells.nested(argv);
  }

  /** The line to be typed at the shell with this argument vector, or null when it has no hook. Throws when the disk refuses. */
  line(argv: readonly string[], nonce: string): string | null {
    const { shells, folder, clock, randomId } = this.#deps;
    const path = join(folder, `join-${randomId(8)}`);
    const source = shells.sourceLines(argv, nonce);
    if (source === null) return null;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, `command rm -f -- ${quoted(path)}\n${source}\n`, { mode: 0o600, flag: 'wx' });
    clock.after(UNREAD_MS, () => rmSync(path, { force: true }));
    return ` source ${quoted(path)}`; // the space keeps it out of most histories
  }
}

/** For every POSIX shell, zsh and fish. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
