import type { Clock } from '../../util/Clock.ts';
import type { Answer, Question, ToWorker } from './screenProtocol.ts';

/** A question, and where in the stream it is asked. */
export interface Asked {
  slot: number;
  what: Question;
  offset: number;
}

export interface Rebuild {
  reason: string;
  /** Asked of the old worker and not answered. */
  questions: readonly Placed[];
}

/** Something that has its place in the stream. */
export interface Placed {
  offset: number;
  post(): void;
}

export interface FeedDeps {
  clock: Clock;
  post(message: ToWorker): void;
  /** The terminal's id. */
  id: string;
  /** Names a new emulator as no other one is or was named. */
  nameRun(): string;
  /** Sends a question about the screen after all bytes before `offset` and gives its answer; `signal` takes it back. */
  ask(asked: Asked, signal?: AbortSignal): Promise<Answer>;
  closed(): void;
  /** How many terminals have more to be parsed than a key's echo. */
  countBusy(): number;
}
