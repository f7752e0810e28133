import { Worker } from 'node:worker_threads';
import type { SearchEvent, SearchQuery } from '../contract/search.ts';
import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import type { Log } from '../util/Log.ts';
import type { OutputScan, OutputScanned } from './scanOutput.ts';
import type { FromSearch, SearchStart, ToSearch } from './searchProtocol.ts';

/** Delay, because the first prompts have priority. */
const START_AFTER_MS = 3_000;
/** A worker that does not close its index in this time is terminated, which does not damage the index. */
const CLOSE_MS = 2_000;
/** Without it, Node 22 logs at every start that SQLite is experimental. */
const QUIET = ['--disable-warning=ExperimentalWarning'];
/** After so many crashed workers, no new one is started. */
const MAX_DEATHS = 3;

interface Deps {
  dataFolder: string;
  workerUrl: URL;
  clock: Clock;
  log: Log;
  /** Writes the current state of streaming conversations; the output of commands is on disk at once. */
  flush: () => void;
}

/** One search in progress, on this side. */
interface Call {
  take(event: SearchEvent): void;
  scanned?(result: OutputScanned): void;
  fail(reason: string): void;
}

/**
 * Search over the whole record, in a worker thread that also keeps the index. Only the process that owns the data folder may have one. The worker
 * starts some seconds after the core, or with the first search.
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

  /** Call after blocks.jsonl or chat.jsonl of this terminal was written. */
  poke(terminalId: string): void {
    this.#worker?.postMessage({ type: 'poke', terminalId } satisfies ToSearch); // a new worker looks at all terminals
  }

  /** Call when terminals may have been added or removed. */
  look(): void {
    this.#worker?.postMessage({ type: 'look' } satisfies ToSearch);
  }

  /** Yields hits as they are found, then one end. Ends early when `signal` aborts or the reader stops; throws if the worker crashed. */
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

  /** Searches one output, whose bytes must be on disk. Rejects when `signal` aborts or the worker crashed. */
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
    worker.on('error', () => undefined); // errors of an ended worker do not matter
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

/** The events of one search on their way to the reader. They are few, because a search ends at its limit. */
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
