import type { SearchEvent, SearchQuery } from '../contract/search.ts';
import { IndexUnusable } from '../store/index/IndexFile.ts';
import type { Log } from '../util/Log.ts';
import { detach } from '../util/strayErrors.ts';
import { findByFiles, findByIndex, phrasesOf } from './findEverywhere.ts';
import { SearchIndexer } from './SearchIndexer.ts';
import { type OutputScan, scanOutput } from './scanOutput.ts';
import type { FromSearch, ToSearch } from './searchProtocol.ts';
import { tellProgress } from './tellProgress.ts';

/** The work of the search worker: keeps the index, and answers from it or from the files. */
export class SearchWorkerHost {
  readonly #dataFolder: string;
  readonly #post: (message: FromSearch) => void;
  readonly #keeper: SearchIndexer;
  readonly #calls = new Map<number, AbortController>();

  constructor(dataFolder: string, post: (message: FromSearch) => void) {
    this.#dataFolder = dataFolder;
    this.#post = post;
    const log: Log = (event, fields = {}) => post({ type: 'log', event, fields: fields as Record<string, string> });
    this.#keeper = new SearchIndexer(dataFolder, log);
    this.#keeper.look();
  }

  take(message: ToSearch): void {
    switch (message.type) {
      case 'poke':
        return this.#keeper.poke(message.terminalId);
      case 'look':
        return this.#keeper.look();
      case 'find':
        detach('SearchWorkerHost', this.#answer(message.call, message.query));
        return;
      case 'scan':
        detach('SearchWorkerHost', this.#scan(message.call, message.scan));
        return;
      case 'stopFind':
        this.#calls.get(message.call)?.abort();
        return;
      case 'close':
        detach(
          'SearchWorkerHost',
          this.close().then(() => this.#post({ type: 'closed' })),
        );
    }
  }

  async close(): Promise<void> {
    for (const call of this.#calls.values()) call.abort();
    await this.#keeper.close();
  }

  async #answer(call: number, query: SearchQuery): Promise<void> {
    const stop = new AbortController();
    this.#calls.set(call, stop);
    try {
      for await (const event of this.#find(query, stop.signal)) {
        if (stop.signal.aborted) return;
        this.#post({ type: 'event', call, event });
      }
    } catch (error) {
      this.#post({ type: 'failed', call, reason: error instanceof Error ? error.message : String(error) });
    } finally {
      this.#calls.delete(call);
    }
  }

  async #scan(call: number, scan: OutputScan): Promise<void> {
    const stop = new AbortController();
    this.#calls.set(call, stop);
    try {
      const scanned = await scanOutput(scan, stop.signal);
      if (!stop.signal.aborted) this.#post({ type: 'scanned', call, scanned });
    } catch (error) {
      this.#post({ type: 'failed', call, reason: error instanceof Error ? error.message : String(error) });
    } finally {
      this.#calls.delete(call);
    }
  }

  async *#find(query: SearchQuery, signal: AbortSignal): AsyncGenerator<SearchEvent> {
    const isWordy = phrasesOf(query).length > 0;
    if (isWordy && this.#keeper.index) await this.#keeper.freshen();
    const current = isWordy ? this.#keeper.index : null;
    if (!current) {
      const isResting = isWordy && this.#keeper.isResting;
      for await (const event of findByFiles(this.#dataFolder, query, signal))
        yield event.type === 'end' ? { ...event, isResting } : event;
      return;
    }
    try {
      const found = findByIndex({ dataFolder: this.#dataFolder, index: current }, query, signal);
      yield* tellProgress(found, () => this.#keeper.progress());
    } catch (error) {
      if (!(error instanceof IndexUnusable)) throw error;
      this.#keeper.rebuild(error.message);
      yield* findByFiles(this.#dataFolder, query, signal);
    }
  }
}
