import { statSync } from 'node:fs';
import type { PastImportReport, PastRow, PastStatus, UsageReport } from '../contract/past.ts';
import type { SearchEvent, SearchQuery } from '../contract/search.ts';
import type { Settings } from '../contract/settings.ts';
import type { TerminalView } from '../contract/terminal.ts';
import { labelOf } from '../conversations/record/ConversationRecorder.ts';
import type { ConversationStore } from '../conversations/record/ConversationStore.ts';
import { PastFile } from '../store/past/PastFile.ts';
import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { Emitter } from '../util/Emitter.ts';
import { follow } from '../util/follow.ts';
import { InFlight } from '../util/InFlight.ts';
import type { Log } from '../util/Log.ts';
import { detach } from '../util/strayErrors.ts';
import { Continuing, type ContinuingSpec } from './Continuing.ts';
import { PastHistory } from './PastHistory.ts';
import { runPastJob } from './PastJob.ts';
import { readUsage, type UsageWish } from './usage.ts';

/** Waits for the first prompts of the shells and for the search index. */
const START_AFTER_MS = 6_000;
/** Interval of imports. Checking a year of logs takes some 50 ms in a separate thread. */
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
  readonly chats: ConversationStore;
  find(query: SearchQuery, signal?: AbortSignal): AsyncGenerator<SearchEvent>;
  readonly opening: {
    /** Opens a terminal in `cwd` and runs the agent's command there. Throws if the agent is not installed. */
    agentCommand(wish: ContinueWish & { name: string; command: string; cwd: string }): Promise<TerminalView>;
    /** Runs a command at the empty prompt of a terminal that is in that folder. Throws an error with a text for people if it did not run. */
    runIn(terminalId: string, line: { cmd: string; cwd: string; returning(): void }): Promise<void>;
  };
  /** Lists the terminals that have a tab. */
  openIds(): readonly string[];
  lastCommandBefore: ContinuingSpec['lastCommandBefore'];
  terminal: ContinuingSpec['terminal'];
  warn(text: string, terminalId: string): void;
  /** Reports that conversations were added or changed, so that the search indexes them. */
  onImported(): void;
}

/** The size of the new terminal, and the window that it is for. */
export interface ContinueWish {
  readonly cols: number;
  readonly rows: number;
  readonly window?: string | undefined;
}

/** Imports conversations from agent logs after the person agrees, and keeps them up to date. */
export class Past {
  readonly history: PastHistory;
  readonly continuing: Continuing;
  readonly #spec: PastSpec;
  readonly #changed = new Emitter<PastStatus>();
  readonly #continued = new InFlight<boolean>();
  readonly #ended = new AbortController();
  #timer: IDisposable | null = null;
  #job: Promise<PastImportReport> | null = null;
  #status: PastStatus = { offer: null, running: null, last: null, error: null };
  #file: PastFile | null = null;

  constructor(spec: PastSpec) {
    this.#spec = spec;
    this.history = new PastHistory({ chats: spec.chats, file: () => this.file, find: (...wish) => spec.find(...wish) });
    this.continuing = new Continuing({ ...spec, history: this.history });
  }

  start(): void {
    this.#continueAll();
    this.#timer = this.#spec.clock.after(START_AFTER_MS, () => detach('Past', this.#look()));
  }

  get status(): PastStatus {
    return this.#status;
  }

  follow(signal?: AbortSignal): AsyncGenerator<PastStatus> {
    return follow(this.#changed.on, () => [this.#status], signal);
  }

  /** Opens the file of imported conversations; null before the first import. Throws if the file is damaged or of another version. */
  get file(): PastFile | null {
    this.#file ??= PastFile.openToRead(this.#spec.dataFolder);
    return this.#file;
  }

  /** Imports now, or waits for the import that already runs. `only`: names of agents. */
  async import(only?: readonly string[]): Promise<PastImportReport> {
    await this.#job?.catch(() => undefined);
    return this.#run(only, false);
  }

  /** Handles the person's answer to the offer. */
  async answer(isWanted: boolean): Promise<void> {
    await this.#spec.settings.update({ 'past.import': isWanted ? 'always' : 'never' });
    this.#set({ offer: null });
    if (isWanted) await this.import();
  }

  /** Continues a conversation in a new terminal of its folder. Throws an error with a text for people if that is not possible. */
  async continue(key: string, wish: ContinueWish): Promise<TerminalView> {
    const row = await this.history.row(key);
    if (!row) throw new Error('That conversation is no longer there. Reload History');
    const { command, cwd } = placeOf(row);
    return this.#spec.opening.agentCommand({ ...wish, name: row.agent, command, cwd });
  }

  /**
   * Continues the conversation that a restart cut off, in the same terminal, once if several windows ask at once. Resolves to false if there is no
   * conversation to continue. Throws an error with a text for people if it cannot continue there now; it is offered again then.
   */
  continueHere(terminalId: string): Promise<boolean> {
    return this.#continued.run(terminalId, async () => {
      const row = await this.continuing.lastIn(terminalId);
      if (!row) return false;
      const { command: cmd, cwd } = placeOf(row);
      try {
        await this.#spec.opening.runIn(terminalId, { cmd, cwd, returning: () => this.continuing.continued(row) });
      } catch (error) {
        this.continuing.notStarted(row);
        throw error;
      }
      return true;
    });
  }

  /** Continues the conversations of all reopened terminals if the setting is `always`. */
  #continueAll(): void {
    if (this.#spec.settings.value['past.continue'] !== 'always') return;
    // Each by itself, because one that was closed meanwhile, or whose shell is slow to start, must not hold up the others.
    for (const id of this.#spec.openIds()) detach('Past', this.#continueAtStart(id));
  }

  async #continueAtStart(terminalId: string): Promise<void> {
    await this.continueHere(terminalId).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      this.#spec.warn(`The conversation of this terminal was not continued. ${reason}.`, terminalId);
    });
  }

  /** Sums up usage; null before the first import. */
  usage(wish: UsageWish): UsageReport | null {
    const { file } = this;
    return file && readUsage(file, wish);
  }

  /** Handles the end of an import by another process. */
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

  /** Counts conversations for the offer, or imports new ones, depending on the setting. */
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
      this.#set({ offer: { conversations, bytes, agents: agents.map(({ agent }) => labelOf(agent)) } });
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

/** The command that continues a conversation, and its folder. Throws an error with a text for people if one is missing. */
function placeOf({ command, cwd, label }: PastRow): { command: string; cwd: string } {
  if (command === null) throw new Error(`${label} has no command that continues this conversation`);
  if (cwd === null) throw new Error(`Its folder is not known. Run this where it began: ${command}`);
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`Its folder ${cwd} is gone. Make it again, or run this elsewhere: ${command}`);
  return { command, cwd };
}
