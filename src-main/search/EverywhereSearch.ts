import { Worker } from 'node:worker_threads';
import type { SearchEvent, SearchQuery } from '../contract/search.ts';
import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import type { Log } from '../util/Log.ts';
import type { OutputScan, OutputScanned } from './scanOutput.ts';
import type { FromSearch, SearchStart, ToSearch } from './searchProtocol.ts';

/** The first prompts come first. */
const START_AFTER_MS = 3_000;
/** A worker that does not close its index is ended: the index outlives that. */
const CLOSE_MS = 2_000;
/** Without it, Node 22 logs at every start that SQLite is experimental. */
const QUIET = ['--disable-warning=ExperimentalWarning'];
/** After so many workers that died there is no point in another. */
const MAX_DEATHS = 3;

interface Deps {
  dataFolder: string;
  workerUrl: URL;
  clock: Clock;
  log: Log;
  /** Writes what conversations that stream have said so far; what commands print is on disk at once. */
  flush: () => void;
}

/** One search that is under way, on this side. */
interface Call {
  take(event: SearchEvent): void;
  scanned?(result: OutputScanned): void;
  fail(reason: string): void;
}

/**
 * Search over everything recorded, in a worker thread that also keeps the index. Only the process that owns the data folder may have
 * one. The worker begins some seconds after the start, or with the first search.
 */
export class EverywhereSearch {
  readonly #deps: Deps;
  readonly #calls = new Map<number, Call>();
  #worker: Worker | null = null;
  #startTimer: IDisposable | null = null;
  #lastCall = 0;
  #deaths = 0;
  #isClosed = false;
  #closed: (() => void) | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#startTimer = this.#deps.clock.after(START_AFTER_MS, () => this.#ready());
  }

  /** Something was written to blocks.jsonl or chat.jsonl of this terminal. */
  poke(terminalId: string): void {
    this.#worker?.postMessage({ type: 'poke', terminalId } satisfies ToSearch); // a worker that starts looks at everything
  }

  /** Terminals may have come or gone. */
  look(): void {
    this.#worker?.postMessage({ type: 'look' } satisfies ToSearch);
  }

  /** Hits as they are found, then one end. Ends early when `signal` aborts or the reader leaves; throws when the worker died. */
  async *find(query: SearchQuery, signal?: AbortSignal): AsyncGenerator<SearchEvent> {
    const worker = this.#ready();
    if (!worker) throw new Error('search is not available: its thread could not be started');
    const call = ++this.#lastCall;
    const events = new Events();
    this.#calls.set(call, events);
    const stop = () => events.stop();
    signal?.addEventListener('abort', stop);
    try {
      if (signal?.aborted) return;
      this.#deps.flush();
      worker.postMessage({ type: 'find', call, query } satisfies ToSearch);
      yield* events;
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#calls.delete(call);
      if (this.#worker === worker) worker.postMessage({ type: 'stopFind', call } satisfies ToSearch);
    }
  }

  /** Looks through one output; what its block has printed must be on disk. Rejects when `signal` aborts or the worker died. */
  async scan(scan: Omit<OutputScan, 'dataFolder'>, signal: AbortSignal): Promise<OutputScanned> {
    signal.throwIfAborted();
    const worker = this.#ready();
    if (!worker) throw new Error('search is not available: its thread could not be started');
    const call = ++this.#lastCall;
    const { promise, resolve, reject } = Promise.withResolvers<OutputScanned>();
    const fail = (reason: string): void => reject(new Error(`the search failed: ${reason}`));
    const stop = (): void => reject(signal.reason);
    this.#calls.set(call, { take: () => undefined, scanned: resolve, fail });
    signal.addEventListener('abort', stop);
    worker.postMessage({
      type: 'scan',
      call,
      scan: { ...scan, dataFolder: this.#deps.dataFolder },
    } satisfies ToSearch);
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#calls.delete(call);
      if (signal.aborted && this.#worker === worker) worker.postMessage({ type: 'stopFind', call } satisfies ToSearch);
    }
  }

  /** Resolves when the index is closed. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    this.#startTimer?.dispose();
    const worker = this.#worker;
    for (const call of this.#calls.values()) call.fail('Hansard is closing');
    if (!worker) return;
    await new Promise<void>((resolve) => {
      const late = this.#deps.clock.after(CLOSE_MS, resolve);
      this.#closed = () => {
        late.dispose();
        resolve();
      };
      worker.postMessage({ type: 'close' } satisfies ToSearch);
    });
    this.#worker = null;
    worker.removeAllListeners();
    worker.on('error', () => undefined); // nothing is expected of it any more
    await worker.terminate();
  }

  #ready(): Worker | null {
    if (this.#worker || this.#isClosed || this.#deaths >= MAX_DEATHS) return this.#worker;
    this.#startTimer?.dispose();
    const workerData: SearchStart = { dataFolder: this.#deps.dataFolder };
    const worker = new Worker(this.#deps.workerUrl, { workerData, execArgv: QUIET });
    worker.on('message', (message: FromSearch) => this.#handleMessage(message));
    worker.on('error', (error) => this.#died(worker, String(error)));
    worker.on('exit', (code) => this.#died(worker, `exit ${code}`));
    this.#worker = worker;
    return worker;
  }

  #handleMessage(message: FromSearch): void {
    switch (message.type) {
      case 'event':
        return this.#calls.get(message.call)?.take(message.event);
      case 'scanned':
        return this.#calls.get(message.call)?.scanned?.(message.scanned);
      case 'failed':
        return this.#calls.get(message.call)?.fail(message.reason);
      case 'log':
        return this.#deps.log(message.event, message.fields);
      case 'closed':
        this.#closed?.();
    }
  }

  #died(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#deaths += 1;
    this.#deps.log('search_worker_died', { reason, deaths: this.#deaths });
    for (const call of this.#calls.values()) call.fail(reason);
    this.#closed?.();
  }
}

/** The events of one search on their way to its reader. They are few: a search ends at its limit. */
class Events implements Call {
  readonly #waiting: SearchEvent[] = [];
  #isOver = false;
  #error: Error | null = null;
  #wake: (() => void) | null = null;

  take(event: SearchEvent): void {
    this.#waiting.push(event);
    if (event.type === 'end') this.#isOver = true;
    this.#wake?.();
  }

  fail(reason: string): void {
    this.#error = new Error(`the search failed: ${reason}`);
    this.#wake?.();
  }

  stop(): void {
    this.#waiting.length = 0;
    this.#isOver = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SearchEvent> {
    for (;;) {
      for (let event = this.#waiting.shift(); event; event = this.#waiting.shift()) yield event;
      if (this.#isOver) return;
      if (this.#error) throw this.#error;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
