import type { Fields } from './jsonFields.ts';

/** Usage of one answer or turn, from the log. A figure that the log does not have is null, never a guess. */
export interface UsageEntry {
  /** Stays the same when the log is read again or repeats the entry. */
  readonly id: string;
  readonly atMs: number | null;
  readonly model: string | null;
  /** Tokens that were not read from a cache. */
  readonly input: number | null;
  /** All input tokens, including those that were read from a cache or written to it. */
  readonly allInput: number | null;
  readonly output: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  /** US dollars. */
  readonly cost: number | null;
  /** Working time of the agent in ms. */
  readonly busyMs: number | null;
  /** False if the figures may still grow or miss a part: the answer was interrupted, or the log does not add up. */
  readonly isWhole: boolean;
}

export const NO_USAGE: Omit<UsageEntry, 'id'> = {
  ...{ atMs: null, model: null, input: null, allInput: null, output: null, cacheRead: null, cacheWrite: null },
  ...{ cost: null, busyMs: null, isWhole: true },
};

/** Reads the tokens of answers from a log, record by record. */
export interface UsageReader {
  /** The state with which another reader can continue in the log, as JSON. */
  readonly state: object;
  /** Returns the usage of an answer; null for any other record. */
  take(record: Fields): UsageEntry | null;
}

/** Usage of an answer with its place among the messages of the log. */
export interface PlacedUsage {
  readonly entry: UsageEntry;
  /** Number of messages in the log when the entry was first there. */
  readonly from: number;
  /** Number of messages in the log when it was last there: an answer of several parts has its usage in each. */
  readonly to: number;
}

/** The usage of each answer of a log, once. An entry that comes again replaces the earlier one and keeps its place. */
export class UsageFold {
  readonly #placed = new Map<string, PlacedUsage>();

  get all(): PlacedUsage[] {
    return [...this.#placed.values()];
  }

  put(entry: UsageEntry, messages: number): void {
    const from = this.#placed.get(entry.id)?.from ?? messages;
    this.#placed.set(entry.id, { entry, from, to: messages });
  }
}
