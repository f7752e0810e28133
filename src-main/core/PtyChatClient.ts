import { join } from 'node:path';
import type { CloseVerdict, OpenPlaceVerdict, RerunVerdict, SystemInfo, TerminalChange } from '../contract/api.ts';
import type { Block } from '../contract/block.ts';
import type { TerminalMeta, TerminalView } from '../contract/terminal.ts';
import { ConversationStore } from '../conversations/record/ConversationStore.ts';
import { AgentIntegration } from '../conversations/tracking/AgentIntegration.ts';
import { McpReadService } from '../mcp/server/McpReadService.ts';
import { McpWriteService } from '../mcp/server/McpWriteService.ts';
import { Notices } from '../notices/Notices.ts';
import { childEnv } from '../pty/childEnv.ts';
import type { SpawnPty } from '../pty/PtyProcess.ts';
import { Recordings } from '../recordings/Recordings.ts';
import { ScreenHost } from '../screen/worker/ScreenHost.ts';
import { EverywhereSearch } from '../search/EverywhereSearch.ts';
import { livingWriter } from '../store/instance/writerMark.ts';
import { readGitBranch } from '../store/record/gitBranch.ts';
import { recoverTerminal } from '../store/record/recover.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';
import { BlockStore } from '../terminal/blocks/BlockStore.ts';
import { CommandHistory } from '../terminal/blocks/CommandHistory.ts';
import { loadHistory } from '../terminal/blocks/loadHistory.ts';
import { type RerunWish, rerunBlock } from '../terminal/blocks/rerunBlock.ts';
import { HookLoader } from '../terminal/HookLoader.ts';
import { InputSequencer } from '../terminal/input/InputSequencer.ts';
import { PtyInstance } from '../terminal/PtyInstance.ts';
import { recoverAbandoned } from '../terminal/recoverAbandoned.ts';
import { ShellCatalog } from '../terminal/ShellCatalog.ts';
import { DeltaStreams } from '../terminal/screen/DeltaStreams.ts';
import { ScreenPictures } from '../terminal/screen/ScreenPictures.ts';
import { ScreenReader } from '../terminal/screen/ScreenReader.ts';
import type { TerminalDeps } from '../terminal/TerminalDeps.ts';
import { TerminalRecord } from '../terminal/TerminalRecord.ts';
import type { Clock } from '../util/Clock.ts';
import { Emitter } from '../util/Emitter.ts';
import { follow } from '../util/follow.ts';
import { InFlight } from '../util/InFlight.ts';
import type { Log } from '../util/Log.ts';
import { detach } from '../util/strayErrors.ts';
import { Completion } from './Completion.ts';
import { openOutputInEditor } from './editor.ts';
import { Housekeeping } from './Housekeeping.ts';
import { PlaceOpener } from './PlaceOpener.ts';
import { SettingsStore } from './SettingsStore.ts';
import { themeColors } from './themeColors.ts';
import { MAX_PASTE_CHARS, Uploads } from './Uploads.ts';
import { WorkspaceStore } from './WorkspaceStore.ts';

/** What a core needs of the machine it runs on. */
export interface CoreOptions {
  dataFolder: string;
  files: { version: string; hooksDir: string; screenWorker: URL; searchWorker: URL; pictureWorker: URL };
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
  readonly screenReader: ScreenReader;
  /** What is typed, by the numbers that windows give it. */
  readonly typed = new InputSequencer<string | Uint8Array>();
  /** Long pastes and commands on their way, by connection. */
  readonly uploads = new Uploads(MAX_PASTE_CHARS);
  readonly info: Omit<SystemInfo, 'frontend'>;
  readonly #options: CoreOptions;
  readonly #shells: ShellCatalog;
  readonly #hookLoader: HookLoader;
  readonly #screens: ScreenHost;
  readonly #terminals = new Map<string, PtyInstance>();
  /** In no tab any more, and still writing. */
  readonly #closing = new InFlight<void>();
  readonly #opening = new InFlight<TerminalView>();
  readonly housekeeping: Housekeeping;
  readonly recordings: Recordings;
  readonly search: EverywhereSearch;
  readonly chats: ConversationStore;
  /** What clients of the MCP socket read. */
  readonly outside: McpReadService;
  readonly deltaStreams = new DeltaStreams();
  /** What clients of the MCP socket do. */
  readonly clients: McpWriteService;
  readonly #changes = new Emitter<TerminalChange>();
  readonly #agents: AgentIntegration;
  #windowTheme: 'dark' | 'light' | null = null;
  #makeUrl: (() => string) | null = null;
  #isStopping = false;

  private constructor(options: CoreOptions, stores: { settings: SettingsStore; workspace: WorkspaceStore }) {
    this.#options = options;
    this.settings = stores.settings;
    this.workspace = stores.workspace;
    this.#shells = new ShellCatalog({ hooksDir: options.files.hooksDir, env: options.env });
    this.#hookLoader = new HookLoader({ ...options, shells: this.#shells, folder: join(options.dataFolder, 'run') });
    this.screenReader = new ScreenReader(options.dataFolder, (id) => this.#terminals.get(id)?.screen);
    this.#screens = new ScreenHost({ workerUrl: options.files.screenWorker, log: options.log, clock: options.clock });
    this.recordings = new Recordings({
      dataFolder: options.dataFolder,
      isOpen: (id) => this.#terminals.has(id) || this.#closing.of(id) !== null,
      bookOf: (id) => this.#terminals.get(id)?.book,
    });
    const isClosing = (id: string): boolean => this.#closing.of(id) !== null;
    this.chats = new ConversationStore(options.dataFolder, (id) => this.#terminals.get(id)?.chat, isClosing);
    this.#agents = new AgentIntegration({
      ...options,
      settings: () => this.settings.value,
      called: (call) => this.#terminals.get(call.terminalId)?.agents.hooked(call),
    });
    this.search = new EverywhereSearch({
      ...options,
      workerUrl: options.files.searchWorker,
      flush: () => this.#inOrder().forEach(({ chat }) => void chat.flush()),
    });
    this.outside = new McpReadService({
      ...options,
      version: options.files.version,
      notices: this.notices,
      screens: this.screenReader,
      pictures: new ScreenPictures({ workerUrl: options.files.pictureWorker, theme: () => this.#shownTheme() }),
      chats: this.chats,
      search: this.search,
      onTerminals: this.#changes.on,
      open: () => this.#inOrder(),
    });
    this.clients = new McpWriteService({
      ...options,
      notices: this.notices,
      policy: () => this.outside.gate.policy,
      terminal: (id) => this.#terminals.get(id),
      terminals: () => this.#inOrder(),
    });
    this.housekeeping = new Housekeeping({
      ...options,
      onRemoved: () => this.search.look(),
      notices: this.notices,
      limits: () => this.settings.value,
      openIds: () => new Set([...this.workspace.value.order, ...this.#terminals.keys(), ...this.#closing.keys]),
      outputBytes: () => [...this.#terminals.values()].reduce((sum, { rawSize }) => sum + rawSize, 0),
    });
    const { home, platform, dataFolder, hostName } = options;
    const { choices: shells, defaultPath: defaultShell } = this.#shells;
    this.info = { version: options.files.version, home, platform, shells, defaultShell, dataFolder, hostName };
  }

  /** Reads the data folder, recovers and re-opens the tabs that were open. The caller holds the folder's lock. */
  static async start(options: CoreOptions): Promise<PtyChatClient> {
    const { settings, note } = await SettingsStore.open(options.dataFolder);
    const workspace = await WorkspaceStore.open(options.dataFolder);
    const core = new PtyChatClient(options, { settings, workspace });
    if (note) core.#raise('settings', note);
    await core.clients.open();
    core.clients.exec.onChange((ticket) => core.outside.heardTicket(ticket));
    await core.#agents.open(); // before a shell starts that is told of it
    await recoverAbandoned(options.dataFolder, core.#deps);
    for (const id of workspace.value.order) await core.#restore(id);
    core.housekeeping.start();
    core.search.start();
    detach('loadHistory', loadHistory(options.dataFolder, core.history));
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

  blocks(id: string): BlockStore {
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

  /** Brings a terminal that is in no tab back into one. Throws when it cannot be read, or is being written elsewhere. */
  openRecorded(id: string): Promise<TerminalView> {
    return this.#opening.run(id, () => this.#openRecorded(id));
  }

  async #openRecorded(id: string): Promise<TerminalView> {
    await Promise.allSettled([this.#closing.of(id)]); // its files have one writer
    const folder = new SessionFolder(this.#options.dataFolder, id);
    if (livingWriter(folder) !== null) throw new Error(`terminal "${id}" is being recorded by another process`);
    if (!SessionFolder.list(this.#options.dataFolder).includes(id)) throw new Error(`No record of a terminal "${id}"`);
    await this.workspace.opened(id); // first: from here on nobody compresses or removes it
    await this.housekeeping.leave(id);
    if (!this.#terminals.has(id)) await this.#restore(id);
    if (!this.#terminals.has(id)) await this.workspace.closed(id);
    const { view } = this.terminal(id);
    this.#changes.fire({ type: 'changed', terminal: view });
    return view;
  }

  async close(id: string, isForced: boolean): Promise<CloseVerdict> {
    const terminal = this.terminal(id);
    const running = isForced ? [] : terminal.input.runningPrograms();
    if (running.length > 0) return { closed: false, running };
    this.#terminals.delete(id);
    await this.#closing.run(id, () => this.#close(terminal));
    return { closed: true };
  }

  async #close(terminal: PtyInstance): Promise<void> {
    const saved = this.workspace.closed(terminal.id);
    this.#changes.fire({ type: 'removed', id: terminal.id });
    this.clients.forget(terminal.id);
    const closed = terminal.close().finally(() => this.#agents.forget(terminal.id));
    await Promise.allSettled([saved, closed]); // it is closing until its files are, also where the disk refuses the tabs
    await Promise.all([saved, closed]);
  }

  rerun(spec: RerunWish & { terminalId: string }): Promise<RerunVerdict> {
    return rerunBlock(this.terminal(spec.terminalId), spec);
  }

  async openInEditor(terminalId: string, blockId: string): Promise<{ opened: boolean; text: string }> {
    const path = await this.blocks(terminalId).reader.outputFile(blockId);
    return openOutputInEditor(path, await this.#shells.completeEnv());
  }

  /** Opens a `path:line` place that a block's output names. */
  async openPlace(spec: { terminalId: string; blockId: string; place: string }): Promise<OpenPlaceVerdict> {
    const { book, view } = this.terminal(spec.terminalId);
    const block = await book.get(spec.blockId);
    const opener = new PlaceOpener({
      ...this.#options,
      env: () => this.#shells.completeEnv(),
      editor: () => this.settings.value['editor.command'],
      open: (where) => this.open(where),
      terminal: (id) => this.terminal(id),
    });
    return opener.open(spec.place, block?.cwd ?? view.cwd, view);
  }

  /** A window tells how it looks: programs that ask for colours are told these. With no window it is the last one's look. */
  showsTheme(theme: 'dark' | 'light'): void {
    if (this.#windowTheme === theme) return;
    this.#windowTheme = theme;
    for (const terminal of this.#terminals.values()) terminal.setColors(themeColors(theme));
  }

  #shownTheme(): 'dark' | 'light' {
    const { theme } = this.settings.value;
    return this.#windowTheme ?? (theme === 'light' ? 'light' : 'dark');
  }

  /** Hangs up on every shell and resolves when the record is whole. The tabs stay in workspace.json. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.housekeeping.stop();
    await this.clients.close();
    await Promise.all([this.#closing.idle(), ...[...this.#terminals.values()].map((terminal) => terminal.close())]);
    this.outside.dispose();
    await this.search.stop();
    this.#terminals.clear();
    this.#screens.dispose();
    this.#agents.dispose();
    this.#changes.dispose();
  }

  #views(): TerminalView[] {
    return this.#inOrder().map(({ view }) => view);
  }

  #inOrder(): PtyInstance[] {
    const { order } = this.workspace.value;
    return [...this.#terminals.values()].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  }

  async #restore(id: string): Promise<void> {
    const { dataFolder, clock, log } = this.#options;
    const folder = new SessionFolder(dataFolder, id);
    try {
      const recovered = await recoverTerminal(folder, { nowMs: clock.nowMs(), log });
      const { blocks, nextSeq, notes, interrupted, textLost, rawSize } = recovered;
      const isRecording = recovered.meta.origin !== undefined;
      const meta = isRecording ? recovered.meta : this.#withShell(recovered.meta);
      const terminal = this.#add(folder, meta, { nextSeq, blocks, rawSize });
      if (!isRecording) terminal.start(true);
      detach('PtyChatClient', terminal.book.mend([...interrupted, ...textLost]));
      detach('PtyChatClient', terminal.chat.mend());
      if (notes.length > 0)
        this.#raise(`recovered/${id}`, `A terminal was not closed properly: ${notes.join('; ')}`, id);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#raise(`lost/${id}`, `The terminal ${id} could not be opened again: ${reason}`, id);
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
    const book = new BlockStore(deps, record, from);
    const terminal = new PtyInstance(deps, record, book);
    this.#terminals.set(meta.id, terminal);
    book.onChange((change) => {
      this.outside.heard(meta.id, change);
      if (change.type !== 'output') this.search.poke(meta.id);
    });
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
      colors: () => themeColors(this.#shownTheme()),
      hookLoader: this.#hookLoader,
      readBranch: readGitBranch,
      agents: this.#agents.deps,
      onChatWritten: (id) => this.search.poke(id),
      isAsked: () => this.outside.gate.isAsked,
      launch: (meta) => {
        const nonce = `Zj${randomId(16)}`;
        const own = childEnv(env, files.version);
        this.outside.words.write(this.outside.gate.policy);
        const words = { HANSARD_WORDS: this.outside.words.path };
        const { plan, nonceFile } = this.#hookLoader.plan(meta.argv[0], nonce, { ...own, ...words });
        return { nonce, nonceFile, plan, env: { ...own, ...plan.env, ...this.#agents.admit(meta.id) } };
      },
    };
  }

  #raise(key: string, text: string, terminalId: string | null = null): void {
    this.notices.raise({ key, level: 'warning', text, action: null, terminalId, atMs: this.#options.clock.nowMs() });
  }
}
