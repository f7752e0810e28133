import { Worker } from 'node:worker_threads';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import type { Log } from '../../util/Log.ts';
import { detach } from '../../util/strayErrors.ts';
import { type FromWorker, SharedProgress, type ToWorker, type WorkerStart } from './screenProtocol.ts';

/**
 * A worker that has work but sends no message and finishes no slice for this long is hanging, provided that it used CPU time. If a busy
 * machine does not run it, a new worker would not run either, and each replaced worker leaves memory behind.
 */
const HANG_MS = 1000;
const HANG_CPU_MS = 500;
const LOOK_EVERY_MS = 200;
/** Least time between measurements: in a flood the worker answers a thousand times a second, and measuring each time took 5 % of the main thread. */
const CPU_EVERY_MS = 20;
/** A worker that neither computes nor answers is stuck. Loading the emulator takes 0.1 s, but much longer on a machine that swaps. */
const STUCK_MS = 20_000;
/** Workers in a row that fail to start before the link gives up. */
const MAX_FAILED_STARTS = 3;

export interface LinkEvents {
  message(message: FromWorker): void;
  /** A new worker runs and knows nothing. `culprit` is the slice that the old one was parsing. */
  restarted(culprit: SharedProgress['current'], reason: string): void;
  /** No worker could be started. */
  dead(reason: string): void;
  /** Whether the worker has not answered everything sent. */
  isWaiting(): boolean;
}

interface Deps {
  workerUrl: URL;
  clock: Clock;
  log: Log;
  unguarded: boolean;
  /** CPU time of this process outside this thread: an upper bound of the worker's. */
  workersCpuMs?: () => number;
}

/** Runs and watches the worker thread: replaces it if it hangs or dies. */
export class WorkerLink implements IDisposable {
  readonly #deps: Deps;
  readonly #events: LinkEvents;
  #worker: Worker;
  #progress: SharedProgress;
  #isReady = false;
  #failedStarts = 0;
  #seenCount = 0;
  #watch: IDisposable | undefined;
  /** Time of the last sign of life, and the workers' CPU time measured at most `CPU_EVERY_MS` before it. */
  readonly #life = { atMs: 0, cpuMs: 0, measuredMs: Number.NEGATIVE_INFINITY };
  readonly #workersCpuMs: () => number;
  #isClosed = false;

  constructor(deps: Deps, events: LinkEvents) {
    this.#deps = deps;
    this.#events = events;
    this.#workersCpuMs = deps.workersCpuMs ?? workersCpuMs;
    [this.#worker, this.#progress] = this.#start();
  }

  post(message: ToWorker): void {
    if (this.#isClosed) return;
    this.#worker.postMessage(message);
    if (this.#watch) return;
    this.#lives();
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
    worker.on('message', (message: FromWorker) => this.#handleMessage(message));
    worker.on('error', (error) => this.#replace(String(error)));
    worker.on('exit', (code) => this.#replace(`exit ${code}`));
    this.#isReady = false;
    return [worker, new SharedProgress(progress)];
  }

  #handleMessage(message: FromWorker): void {
    if (message.type === 'ready') {
      this.#isReady = true;
      this.#failedStarts = 0;
    }
    this.#lives();
    this.#events.message(message);
  }

  #lookLater(): void {
    this.#watch = this.#deps.clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  /** Slices finished since the last check are signs of life too. Waiting messages are read before the worker is judged. */
  #look(): void {
    this.#watch = undefined;
    if (!this.#events.isWaiting()) return;
    const { count } = this.#progress;
    if (count !== this.#seenCount) this.#lives();
    this.#seenCount = count;
    this.#lookLater();
    if (this.#fault() !== null) setImmediate(() => this.#judge());
  }

  #judge(): void {
    const fault = this.#isClosed ? null : this.#fault();
    if (fault !== null) this.#replace(fault);
  }

  #lives(): void {
    const nowMs = this.#deps.clock.monotonicMs();
    this.#life.atMs = nowMs;
    if (nowMs - this.#life.measuredMs < CPU_EVERY_MS) return;
    this.#life.measuredMs = nowMs;
    this.#life.cpuMs = this.#workersCpuMs();
  }

  #fault(): string | null {
    const silentMs = this.#deps.clock.monotonicMs() - this.#life.atMs;
    const isHanging = this.#isReady && this.#workersCpuMs() - this.#life.cpuMs >= HANG_CPU_MS;
    const limitMs = isHanging ? HANG_MS : STUCK_MS;
    return silentMs >= limitMs ? `no sign of life for ${limitMs} ms` : null;
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

function workersCpuMs(): number {
  const all = process.cpuUsage();
  const own = process.threadCpuUsage();
  return (all.user + all.system - own.user - own.system) / 1000;
}

/** Ends a worker that is no longer needed. Its later errors are ignored; without a listener they would end the core. */
function letGo(worker: Worker): void {
  worker.removeAllListeners();
  worker.on('error', () => undefined);
  detach('WorkerLink', worker.terminate());
}
