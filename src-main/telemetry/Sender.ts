import type { SpanRecord } from '../contract/telemetry.ts';
import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { detach } from '../util/strayErrors.ts';
import { type Answer, judgeAnswer, type Verdict } from './judgeAnswer.ts';
import type { SpanQueue, Waiting } from './SpanQueue.ts';

/** Collectors take 4 MiB and more by default; a request that is too large is halved. */
const MOST_TURNS = 50;
const MOST_BYTES = 1024 * 1024;
/** The first retry waits one second. The wait doubles each time, up to five minutes. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 5 * 60_000;

export interface SenderEvents {
  /** The collector accepted the spans, except `rejected` ones. */
  sent(spans: number, partial: { rejected: number; message: string } | null): void;
  /** A request failed and will be tried again. */
  failed(reason: string): void;
  /** The spans of `turns` turns are dropped. */
  refused(turns: number, reason: string): void;
  /** Nothing is sent until `resume`. */
  paused(reason: string): void;
}

export interface SenderSpec {
  readonly clock: Clock;
  readonly queue: SpanQueue;
  /** Posts spans. Never rejects; ends at once when the signal is aborted. */
  post(spans: readonly SpanRecord[], signal: AbortSignal): Promise<Answer>;
  readonly events: SenderEvents;
  /** Returns a number from 0 to 1. */
  random(): number;
}

/** Sends the queue to the collector, one request at a time, between `start` and `stop`. */
export class Sender implements IDisposable {
  readonly #spec: SenderSpec;
  #stopping: AbortController | null = null;
  #timer: IDisposable | null = null;
  #nextTryMs: number | null = null;
  #isPaused = false;
  #isRunning = false;
  #failures = 0;
  /** Turns in the next request. A refused request lowers it, so that one bad turn does not cause the loss of others. */
  #mostTurns = MOST_TURNS;

  constructor(spec: SenderSpec) {
    this.#spec = spec;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Wall-clock time of the next attempt. */
  get nextTryMs(): number | null {
    return this.#nextTryMs;
  }

  start(): void {
    this.#stopping ??= new AbortController();
    this.poke();
  }

  /** Cancels the request in progress. Nothing is sent until `start`. */
  stop(): void {
    this.#stopping?.abort();
    this.#stopping = null;
    this.#unwait();
    this.#failures = 0;
    this.#isPaused = false;
  }

  /** Tries again now, after a changed setting or a successful test. */
  resume(): void {
    this.#isPaused = false;
    this.#failures = 0;
    this.#unwait();
    this.poke();
  }

  /** Reports that the queue has something to send. */
  poke(): void {
    if (!this.#stopping || this.#isPaused || this.#isRunning || this.#timer) return;
    this.#isRunning = true;
    detach('Sender', this.#run(this.#stopping.signal));
  }

  dispose(): void {
    this.stop();
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted && !this.#isPaused && !this.#timer) {
        const batch = await this.#spec.queue.oldest(this.#mostTurns, MOST_BYTES);
        if (!batch || signal.aborted) break;
        const answer = await this.#spec.post(batch.spans, signal);
        await this.#handle(answer, batch);
      }
    } catch (error) {
      if (!signal.aborted) this.#wait(null); // the disk failed, or a part of the program is missing
      this.#spec.events.failed(error instanceof Error ? error.message : String(error));
    } finally {
      this.#isRunning = false;
    }
    if (this.#stopping?.signal !== signal)
      this.poke(); // the sender was stopped and started again
    else if (this.#spec.queue.turns > 0) this.poke(); // something was queued after the last check
  }

  async #handle(answer: Answer, { files, spans }: { files: Waiting[]; spans: SpanRecord[] }): Promise<void> {
    const { clock, queue, events } = this.#spec;
    const verdict: Verdict = judgeAnswer(answer, clock.nowMs());
    switch (verdict.kind) {
      case 'sent':
        await queue.remove(files);
        this.#failures = 0;
        this.#mostTurns = Math.min(MOST_TURNS, this.#mostTurns * 2);
        return events.sent(spans.length, answer.kind === 'http' ? answer.partial : null);
      case 'retry':
        this.#wait(verdict.afterMs);
        return events.failed(verdict.reason);
      case 'refused':
        if (files.length > 1) {
          this.#mostTurns = Math.max(1, Math.floor(files.length / 2));
          return;
        }
        await queue.remove(files);
        return events.refused(files.length, verdict.reason);
      case 'pause':
        this.#isPaused = true;
        return events.paused(verdict.reason);
      case 'stopped':
        return;
    }
  }

  /** Adds jitter, so that a team's machines do not retry together. The wait is never shorter than the collector asks for. */
  #wait(afterMs: number | null): void {
    const { clock, random } = this.#spec;
    const longestMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(this.#failures, 20));
    this.#failures += 1;
    const waitMs = longestMs * (0.5 + random() / 2);
    const inMs = Math.ceil(afterMs === null ? waitMs : afterMs + random() * FIRST_WAIT_MS);
    this.#unwait();
    this.#nextTryMs = clock.nowMs() + inMs;
    this.#timer = clock.after(inMs, () => {
      this.#unwait();
      this.poke();
    });
  }

  #unwait(): void {
    this.#timer?.dispose();
    this.#timer = null;
    this.#nextTryMs = null;
  }
}
