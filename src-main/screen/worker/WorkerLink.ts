import { Worker } from 'node:worker_threads';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import type { Log } from '../../util/Log.ts';
import { detach } from '../../util/strayErrors.ts';
import { type FromWorker, SharedProgress, type ToWorker, type WorkerStart } from './screenProtocol.ts';

/**
 * A worker that has work, and neither a message nor a slice to show for this long, is hanging if it has computed meanwhile. One that a busy
 * machine does not let run would be replaced by another that does not run either, and each leaves memory behind.
 */
const HANG_MS = 1000;
const HANG_CPU_MS = 500;
const LOOK_EVERY_MS = 200;
/** In a flood it answers a thousand times a second: to ask the system each time took a twentieth of the main thread. */
const CPU_EVERY_MS = 20;
/** A worker that neither computes nor answers is stuck. Loading the emulator takes a tenth of a second; a machine that swaps may need much longer. */
const STUCK_MS = 20_000;
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
  /** What this process computed outside this thread: the worker at most that. */
  workersCpuMs?: () => number;
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
  /** The last sign of life, and what the workers had used of the CPU at one at most `CPU_EVERY_MS` before it. */
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

  /** Slices done since the last look are life too. Messages that wait on this side are read before the worker is judged. */
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

/** Ends a worker of which nothing is expected any more; what it may still throw concerns nobody, and unheard it would end the core. */
function letGo(worker: Worker): void {
  worker.removeAllListeners();
  worker.on('error', () => undefined);
  detach('WorkerLink', worker.terminate());
}
