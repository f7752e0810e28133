import { Worker } from 'node:worker_threads';
import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import type { Log } from '../util/Log.ts';
import { detach } from '../util/strayErrors.ts';
import { type FromWorker, SharedProgress, type ToWorker, type WorkerStart } from './screenProtocol.ts';

/** A worker that has work and neither a message nor a slice to show for this long is hanging. */
const HANG_MS = 1000;
const LOOK_EVERY_MS = 200;
/** Loading the emulator takes a tenth of a second; a machine that swaps may need much longer. */
const START_LIMIT_MS = 20_000;
/** After this many workers in a row that never came up there is no point in another. */
const MAX_FAILED_STARTS = 3;

export interface LinkEvents {
  message(message: FromWorker): void;
  /** A new worker is there and knows nothing. `culprit` is what the old one was parsing. */
  restarted(culprit: SharedProgress['current'], reason: string): void;
  /** No worker could be started. */
  dead(reason: string): void;
  /** Something was sent that the worker has not answered. */
  isWaiting(): boolean;
}

interface Deps {
  workerUrl: URL;
  clock: Clock;
  log: Log;
  unguarded: boolean;
}

/** The worker thread, watched: one that hangs or dies is replaced. */
export class WorkerLink implements IDisposable {
  readonly #deps: Deps;
  readonly #events: LinkEvents;
  #worker: Worker;
  #progress: SharedProgress;
  #isReady = false;
  #failedStarts = 0;
  #seenCount = 0;
  #watch: IDisposable | undefined;
  #lastLifeMs = 0;
  #isClosed = false;

  constructor(deps: Deps, events: LinkEvents) {
    this.#deps = deps;
    this.#events = events;
    [this.#worker, this.#progress] = this.#start();
  }

  post(message: ToWorker): void {
    if (this.#isClosed) return;
    this.#worker.postMessage(message);
    if (this.#watch) return;
    this.#lastLifeMs = this.#deps.clock.monotonicMs();
    this.#lookLater();
  }

  dispose(): void {
    this.#isClosed = true;
    this.#watch?.dispose();
    this.#watch = undefined;
    letGo(this.#worker);
  }

  #start(): [Worker, SharedProgress] {
    const progress = new SharedArrayBuffer(SharedProgress.BYTES);
    const workerData: WorkerStart = { progress, unguarded: this.#deps.unguarded };
    const worker = new Worker(this.#deps.workerUrl, { workerData });
    worker.on('message', (message: FromWorker) => this.#hear(message));
    worker.on('error', (error) => this.#replace(String(error)));
    worker.on('exit', (code) => this.#replace(`exit ${code}`));
    this.#isReady = false;
    return [worker, new SharedProgress(progress)];
  }

  #hear(message: FromWorker): void {
    if (message.type === 'ready') {
      this.#isReady = true;
      this.#failedStarts = 0;
    }
    this.#lastLifeMs = this.#deps.clock.monotonicMs();
    this.#events.message(message);
  }

  #lookLater(): void {
    this.#watch = this.#deps.clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  /** Slices done since the last look are life too. Messages that wait on this side are read before the worker is judged. */
  #look(): void {
    this.#watch = undefined;
    if (!this.#events.isWaiting()) return;
    const { count } = this.#progress;
    if (count !== this.#seenCount) this.#lastLifeMs = this.#deps.clock.monotonicMs();
    this.#seenCount = count;
    this.#lookLater();
    if (this.#silentMs() >= this.#limitMs()) setImmediate(() => this.#judge());
  }

  #judge(): void {
    if (this.#isClosed || this.#silentMs() < this.#limitMs()) return;
    this.#replace(`no sign of life for ${this.#limitMs()} ms`);
  }

  #silentMs(): number {
    return this.#deps.clock.monotonicMs() - this.#lastLifeMs;
  }

  #limitMs(): number {
    return this.#isReady ? HANG_MS : START_LIMIT_MS;
  }

  #replace(reason: string): void {
    if (this.#isClosed) return;
    const culprit = this.#progress.current;
    letGo(this.#worker);
    this.#watch?.dispose();
    this.#watch = undefined;
    this.#seenCount = 0;
    this.#failedStarts += this.#isReady ? 0 : 1;
    this.#deps.log('screen_worker_replaced', { reason, slot: culprit?.slot, failedStarts: this.#failedStarts });
    if (this.#failedStarts >= MAX_FAILED_STARTS) {
      this.#isClosed = true;
      this.#events.dead(reason);
      return;
    }
    [this.#worker, this.#progress] = this.#start();
    this.#events.restarted(culprit, reason);
  }
}

/** Ends a worker of which nothing is expected any more; what it may still throw concerns nobody, and unheard it would end the core. */
function letGo(worker: Worker): void {
  worker.removeAllListeners();
  worker.on('error', () => undefined);
  detach('WorkerLink', worker.terminate());
}
