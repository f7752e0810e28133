import type { Clock } from '../../util/Clock.ts';
import type { Answer, Question, ToWorker } from './screenProtocol.ts';

/** A query, and its position in the stream. */
export interface Asked {
  slot: number;
  what: Question;
  offset: number;
}

export interface Rebuild {
  reason: string;
  /** Queries that the old worker did not answer. */
  questions: readonly Placed[];
}

/** A message with a position in the stream. */
export interface Placed {
  offset: number;
  post(): void;
}

export interface FeedDeps {
  clock: Clock;
  post(message: ToWorker): void;
  /** The terminal's id. */
  id: string;
  /** Returns a name that no other emulator has or had. */
  nameRun(): string;
  /** Sends a query about the screen after all bytes before `offset` and returns its answer; `signal` cancels it. */
  ask(asked: Asked, signal?: AbortSignal): Promise<Answer>;
  closed(): void;
  /** Number of terminals with more unparsed bytes than a key's echo. */
  countBusy(): number;
}
