import type { PastImportReport, PastStatus } from '../contract/past.ts';
import type { Settings } from '../contract/settings.ts';
import { PastFile } from '../store/past/PastFile.ts';
import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { Emitter } from '../util/Emitter.ts';
import { follow } from '../util/follow.ts';
import type { Log } from '../util/Log.ts';
import { detach } from '../util/strayErrors.ts';
import { runPastJob } from './PastJob.ts';

/** The first prompts come first, and then the search's index. */
const START_AFTER_MS = 6_000;
/** What agents said elsewhere meanwhile is imported so often. A look at a year of logs takes some 50 ms of a thread of its own. */
const AGAIN_MS = 10 * 60_000;

export interface PastSpec {
  readonly dataFolder: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Log;
  readonly files: { readonly pastWorker: URL };
  readonly settings: {
    readonly value: Settings;
    update(change: { 'past.import'?: Settings['past.import'] }): Promise<Settings>;
  };
  /** Conversations have come or changed: the search looks at them. */
  onImported(): void;
}

/** Imports what agents kept of their own conversations, once the person has agreed, and keeps that up to date. */
export class Past {
  readonly #spec: PastSpec;
  readonly #changed = new Emitter<PastStatus>();
  readonly #ended = new AbortController();
  #timer: IDisposable | null = null;
  #job: Promise<PastImportReport> | null = null;
  #status: PastStatus = { offer: null, running: null, last: null, error: null };
  #file: PastFile | null = null;

  constructor(spec: PastSpec) {
    this.#spec = spec;
  }

  start(): void {
    this.#timer = this.#spec.clock.after(START_AFTER_MS, () => detach('Past', this.#look()));
  }

  get status(): PastStatus {
    return this.#status;
  }

  follow(signal?: AbortSignal): AsyncGenerator<PastStatus> {
    return follow(this.#changed.on, () => [this.#status], signal);
  }

  /** Null where nothing was imported yet. Throws for a damaged file, and one of another version. */
  get file(): PastFile | null {
    this.#file ??= PastFile.openToRead(this.#spec.dataFolder);
    return this.#file;
  }

  /** Imports now; one that runs already is waited for. `only`: names of agents. */
  async import(only?: readonly string[]): Promise<PastImportReport> {
    await this.#job?.catch(() => undefined);
    return this.#run(only, false);
  }

  /** The person's answer to the offer. */
  async answer(isWanted: boolean): Promise<void> {
    await this.#spec.settings.update({ 'past.import': isWanted ? 'always' : 'never' });
    this.#set({ offer: null });
    if (isWanted) await this.import();
  }

  /** Another process has imported. */
  changed(): void {
    this.#set({});
    this.#spec.onImported();
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#ended.abort(new Error('Hansard is closing'));
    this.#file?.close();
    this.#file = null;
  }

  /** Counts what could be offered, or imports what is new, as the setting says. */
  async #look(): Promise<void> {
    const wish = this.#spec.settings.value['past.import'];
    try {
      if (wish === 'always') await this.import();
      if (wish === 'ask') await this.#offer();
    } catch (error) {
      if (!this.#ended.signal.aborted) this.#spec.log('past_not_imported', { reason: String(error) });
    } finally {
      if (!this.#ended.signal.aborted)
        this.#timer = this.#spec.clock.after(AGAIN_MS, () => detach('Past', this.#look()));
    }
  }

  async #offer(): Promise<void> {
    if (this.#status.offer) return;
    const { conversations, agents, bytes } = await this.#run(undefined, true);
    if (conversations > 0 && this.#spec.settings.value['past.import'] === 'ask')
      this.#set({ offer: { conversations, bytes, agents: agents.map(({ agent }) => agent) } });
  }

  async #run(only: readonly string[] | undefined, isDry: boolean): Promise<PastImportReport> {
    const { dataFolder, home, files } = this.#spec;
    const env = Object.fromEntries(Object.entries(this.#spec.env).filter(([name]) => /_(HOME|DIR)$/.test(name)));
    const run = { dataFolder, home, env, only, isDry };
    const show = (running: PastImportReport): void => {
      if (!isDry) this.#set({ running });
    };
    const job = runPastJob({ workerUrl: files.pastWorker, run, signal: this.#ended.signal }, show);
    this.#job = job;
    try {
      const report = await job;
      if (isDry) return report;
      this.#set({ running: null, last: report, error: null, offer: null });
      this.#spec.onImported();
      return report;
    } catch (error) {
      if (!isDry) this.#set({ running: null, error: error instanceof Error ? error.message : String(error) });
      throw error;
    } finally {
      if (this.#job === job) this.#job = null;
    }
  }

  #set(change: Partial<PastStatus>): void {
    this.#status = { ...this.#status, ...change };
    this.#changed.fire(this.#status);
  }
}
