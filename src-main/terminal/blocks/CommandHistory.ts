import type { HistoryEntry } from '../../contract/api.ts';
import type { Block } from '../../contract/block.ts';

const MAX_ENTRIES = 20_000;
/** Exit code of a command that the shell did not find. */
const NOT_FOUND = 127;

export interface NearestAsked {
  prefix: string;
  cwd: string;
  /** Root of the folder's project. */
  project: string | null;
}

/**
 * The commands of all terminals, each text once, newest last in memory. Filled from the records when a terminal is
 * restored and from each block that ends; excludes ephemeral blocks and those without a known text.
 */
export class CommandHistory {
  readonly #byText = new Map<string, HistoryEntry>();

  add(block: Block): void {
    if (block.ephemeral || block.cmd === null || block.cmd.trim() === '' || block.kind !== 'command') return;
    const known = this.#byText.get(block.cmd);
    if (known && known.atMs > block.startedMs) return;
    this.#byText.delete(block.cmd); // set again to keep the map in the order of time
    this.#byText.set(block.cmd, {
      cmd: block.cmd,
      cwd: block.cwd,
      atMs: block.startedMs,
      exitCode: block.trusted ? block.exitCode : null,
      terminalId: block.terminalId,
      blockId: block.id,
    });
    if (this.#byText.size > MAX_ENTRIES) this.#byText.delete(this.#byText.keys().next().value as string);
  }

  /** True if no further command fits. */
  get isFull(): boolean {
    return this.#byText.size >= MAX_ENTRIES;
  }

  /** Commands that begin with `prefix`, newest first. */
  startingWith(prefix: string, limit: number): HistoryEntry[] {
    const entries = [...this.#byText.values()].filter(({ cmd }) => cmd.startsWith(prefix));
    return entries.sort((a, b) => b.atMs - a.atMs).slice(0, limit);
  }

  /** The newest command that begins with `prefix`: first from the folder, then from the project, then from anywhere. */
  nearest({ prefix, cwd, project }: NearestAsked): string | null {
    let best: { entry: HistoryEntry; rank: number } | null = null;
    for (const entry of this.#byText.values()) {
      if (!goesOn(entry, prefix)) continue;
      const rank = distance(entry.cwd, cwd, project);
      if (!best || rank < best.rank || (rank === best.rank && entry.atMs > best.entry.atMs)) best = { entry, rank };
    }
    return best?.entry.cmd ?? null;
  }

  /** Newest first. Each word of `query` must occur, in any order; ignores case unless the query has capitals. */
  list(query: string, limit: number): HistoryEntry[] {
    const words = query.split(/\s+/).filter((word) => word !== '');
    const fold = query === query.toLowerCase() ? (text: string) => text.toLowerCase() : (text: string) => text;
    const entries = [...this.#byText.values()].sort((a, b) => b.atMs - a.atMs);
    return entries.filter((entry) => words.every((word) => fold(entry.cmd).includes(word))).slice(0, limit);
  }
}

/** Excludes commands with several lines or control characters, which cannot be shown after the caret. */
function goesOn({ cmd, exitCode }: HistoryEntry, prefix: string): boolean {
  return cmd.length > prefix.length && cmd.startsWith(prefix) && exitCode !== NOT_FOUND && !/\p{Cc}/u.test(cmd);
}

function distance(from: string | null, cwd: string, project: string | null): number {
  if (from === cwd) return 0;
  const isInProject = from !== null && project !== null && `${from}/`.startsWith(`${project}/`);
  return isInProject ? 1 : 2;
}
