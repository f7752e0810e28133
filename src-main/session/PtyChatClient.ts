import type { CloseVerdict, RerunVerdict, SystemInfo, TerminalChange } from '../contract/api.ts';
import type { Block } from '../contract/block.ts';
import type { TerminalMeta, TerminalView } from '../contract/terminal.ts';
import { childEnv } from '../pty/childEnv.ts';
import type { SpawnPty } from '../pty/PtyProcess.ts';
import { ScreenHost } from '../screen/ScreenHost.ts';
import { readGitBranch } from '../store/gitBranch.ts';
import { recoverTerminal } from '../store/recover.ts';
import { SessionFolder } from '../store/SessionFolder.ts';
import type { Clock } from '../util/Clock.ts';
import { Emitter } from '../util/Emitter.ts';
import { follow } from '../util/follow.ts';
import type { Log } from '../util/Log.ts';
import { BlockBook } from './BlockBook.ts';
import { CommandHistory } from './CommandHistory.ts';
import { Completion } from './Completion.ts';
import { openOutputInEditor } from './editor.ts';
import { loadHistory } from './loadHistory.ts';
import { Notices } from './Notices.ts';
import { PtyInstance } from './PtyInstance.ts';
import { SettingsStore } from './SettingsStore.ts';
import { ShellCatalog } from './ShellCatalog.ts';
import type { TerminalDeps } from './TerminalDeps.ts';
import { TerminalRecord } from './TerminalRecord.ts';
import { WorkspaceStore } from './WorkspaceStore.ts';

/** What a core needs of the machine it runs on. */
export interface CoreOptions {
  dataFolder: string;
  files: { version: string; hooksDir: string; screenWorker: URL };
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  hostName: string;
  platform: NodeJS.Platform;
  clock: Clock;
  log: Log;
  spawnPty: SpawnPty;
  /** 2 × `bytes` hex digits of good randomness. */
  randomId: (bytes: number) => string;
}

/** All terminals of one data folder; the entry point of both fronts. */
export class PtyChatClient {
  readonly settings: SettingsStore;
  readonly workspace: WorkspaceStore;
  readonly notices = new Notices();
  readonly history = new CommandHistory();
  readonly info: Omit<SystemInfo, 'frontend'>;
  readonly #options: CoreOptions;
  readonly #shells: ShellCatalog;
  readonly #screens: ScreenHost;
  readonly #terminals = new Map<string, PtyInstance>();
  readonly #changes = new Emitter<TerminalChange>();
  #makeUrl: (() => string) | null = null;
  #isStopping = false;

  private constructor(options: CoreOptions, stores: { settings: SettingsStore; workspace: WorkspaceStore }) {
    this.#options = options;
    this.settings = stores.settings;
    this.workspace = stores.workspace;
    this.#shells = new ShellCatalog({ hooksDir: options.files.hooksDir, env: options.env });
    this.#screens = new ScreenHost({ workerUrl: options.files.screenWorker, log: options.log, clock: options.clock });
    this.info = {
      version: options.files.version,
      home: options.home,
      platform: options.platform,
      shells: this.#shells.choices,
      defaultShell: this.#shells.defaultPath,
      dataFolder: options.dataFolder,
      hostName: options.hostName,
    };
  }

  /** Reads the data folder, recovers and re-opens the tabs that were open. The caller holds the folder's lock. */
  static async start(options: CoreOptions): Promise<PtyChatClient> {
    const { settings, note } = await SettingsStore.open(options.dataFolder);
    const workspace = await WorkspaceStore.open(options.dataFolder);
    const core = new PtyChatClient(options, { settings, workspace });
    if (note) core.#raise('settings', note);
    for (const id of workspace.value.order) await core.#restore(id);
    void loadHistory(options.dataFolder, core.history).catch((error: unknown) =>
      options.log('history_failed', { reason: String(error) }),
    );
    return core;
  }

  setUrlMaker(make: () => string): void {
    this.#makeUrl = make;
  }

  newUrl(): string | null {
    return this.#makeUrl?.() ?? null;
  }

  /** Throws for an id that is not open: a bug of the caller, or a tab that was just closed. */
  terminal(id: string): PtyInstance {
    const found = this.#terminals.get(id);
    if (!found) throw new Error(`No terminal "${id}" (open: ${[...this.#terminals.keys()].join(', ') || 'none'})`);
    return found;
  }

  blocks(id: string): BlockBook {
    return this.terminal(id).book;
  }

  completion(id: string): Completion {
    return new Completion(this.terminal(id).view.cwd, this.#options.env.PATH ?? '');
  }

  followTerminals(signal?: AbortSignal): AsyncGenerator<TerminalChange> {
    return follow(this.#changes.on, () => [{ type: 'all', terminals: this.#views() }], signal);
  }

  async open(spec: {
    shell?: string | undefined;
    cwd?: string | undefined;
    cols: number;
    rows: number;
  }): Promise<TerminalView> {
    const shell = this.#shells.choose(spec.shell ?? this.settings.value['shell.default']);
    const id = `t${this.#options.clock.nowMs().toString(36)}-${this.#options.randomId(4)}`;
    const meta: TerminalMeta = {
      version: 1,
      id,
      shell: shell.name,
      argv: [shell.path],
      cwd: spec.cwd || this.#options.home,
      cols: spec.cols,
      rows: spec.rows,
      createdMs: this.#options.clock.nowMs(),
      title: '',
    };
    const terminal = this.#add(new SessionFolder(this.#options.dataFolder, id), meta, { nextSeq: 1, rawSize: 0 });
    terminal.start();
    await this.workspace.opened(id);
    this.#changes.fire({ type: 'changed', terminal: terminal.view });
    return terminal.view;
  }

  async close(id: string, isForced: boolean): Promise<CloseVerdict> {
    const terminal = this.terminal(id);
    const running = isForced ? [] : terminal.runningPrograms();
    if (running.length > 0) return { closed: false, running };
    this.#terminals.delete(id);
    await this.workspace.closed(id);
    this.#changes.fire({ type: 'removed', id });
    await terminal.close();
    return { closed: true };
  }

  async rerun(spec: { terminalId: string; blockId: string; confirmed: boolean }): Promise<RerunVerdict> {
    const terminal = this.terminal(spec.terminalId);
    const block = await terminal.book.get(spec.blockId);
    if (!block || block.cmd === null) return { ok: false, reason: 'unknown-text' };
    if (!spec.confirmed && !block.trusted) return { ok: false, reason: 'untrusted' };
    if (!spec.confirmed && block.cwd !== null && block.cwd !== terminal.view.cwd)
      return { ok: false, reason: 'cwd-differs' };
    const verdict = await terminal.submit(block.cmd);
    if (verdict.ok) return verdict;
    return { ok: false, reason: verdict.reason === 'exited' ? 'exited' : 'busy' };
  }

  async openInEditor(terminalId: string, blockId: string): Promise<{ opened: boolean; text: string }> {
    const path = await this.blocks(terminalId).reader.outputFile(blockId);
    return openOutputInEditor(path, this.#options.env);
  }

  /** Hangs up on every shell and resolves when the record is whole. The tabs stay in workspace.json. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#terminals.values()].map((terminal) => terminal.close()));
    this.#terminals.clear();
    this.#screens.dispose();
    this.#changes.dispose();
  }

  #views(): TerminalView[] {
    const order = this.workspace.value.order;
    return [...this.#terminals.values()]
      .map(({ view }) => view)
      .sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  }

  async #restore(id: string): Promise<void> {
    const { dataFolder, clock, log } = this.#options;
    const folder = new SessionFolder(dataFolder, id);
    try {
      const recovered = await recoverTerminal(folder, { nowMs: clock.nowMs(), log });
      const { blocks, nextSeq, notes, interrupted, rawSize } = recovered;
      const meta = this.#withShell(recovered.meta);
      const terminal = this.#add(folder, meta, { nextSeq, blocks, rawSize });
      terminal.start(true);
      void terminal.book.mend(interrupted);
      if (notes.length > 0)
        this.#raise(`recovered/${id}`, `A terminal was not closed properly: ${notes.join('; ')}`, id);
    } catch (error) {
      this.#raise(
        `lost/${id}`,
        `The terminal ${id} could not be opened again: ${error instanceof Error ? error.message : String(error)}`,
        id,
      );
    }
  }

  /** A meta.json that had to be rebuilt no longer knows its shell. */
  #withShell(meta: TerminalMeta): TerminalMeta {
    if (meta.argv.length > 0) return meta;
    const { path, name } = this.#shells.choose(this.settings.value['shell.default']);
    return { ...meta, shell: name, argv: [path] };
  }

  #add(
    folder: SessionFolder,
    meta: TerminalMeta,
    from: { nextSeq: number; rawSize: number; blocks?: readonly Block[] },
  ): PtyInstance {
    const deps = this.#deps;
    const record = new TerminalRecord(folder, { meta, rawSize: from.rawSize }, deps);
    const book = new BlockBook(deps, record, from);
    const terminal = new PtyInstance(deps, record, book);
    this.#terminals.set(meta.id, terminal);
    terminal.onChanged((view) => {
      if (!this.#isStopping && this.#terminals.has(view.id)) this.#changes.fire({ type: 'changed', terminal: view });
    });
    return terminal;
  }

  get #deps(): TerminalDeps {
    const { clock, log, spawnPty, randomId, env, files, hostName } = this.#options;
    return {
      clock,
      log,
      spawnPty,
      randomId,
      hostName,
      notices: this.notices,
      history: this.history,
      screens: this.#screens,
      scrollbackLines: 1000,
      readBranch: readGitBranch,
      launch: (meta) => {
        const nonce = `Zj${randomId(16)}`;
        const own = childEnv(env, files.version);
        const plan = this.#shells.plan(meta, nonce, own);
        return { nonce, plan, env: { ...own, ...plan.env } };
      },
    };
  }

  #raise(key: string, text: string, terminalId: string | null = null): void {
    this.notices.raise({ key, level: 'warning', text, action: null, terminalId, atMs: this.#options.clock.nowMs() });
  }
}
