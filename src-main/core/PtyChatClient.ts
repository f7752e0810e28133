import { join } from 'node:path';
import type { CloseVerdict, SystemInfo, TerminalChange } from '../contract/api.ts';
import type { TerminalView } from '../contract/terminal.ts';
import { ConversationStore } from '../conversations/record/ConversationStore.ts';
import { AgentIntegration } from '../conversations/tracking/AgentIntegration.ts';
import { McpReadService } from '../mcp/server/McpReadService.ts';
import { McpWriteService } from '../mcp/server/McpWriteService.ts';
import { Notices } from '../notices/Notices.ts';
import { Notifications } from '../notifications/Notifications.ts';
import { Projects } from '../projects/Projects.ts';
import { Recordings } from '../recordings/Recordings.ts';
import { ScreenHost } from '../screen/worker/ScreenHost.ts';
import { EverywhereSearch } from '../search/EverywhereSearch.ts';
import { readGitBranch } from '../store/record/gitBranch.ts';
import { CommandHistory } from '../terminal/blocks/CommandHistory.ts';
import { HookLoader } from '../terminal/HookLoader.ts';
import { InputSequencer } from '../terminal/input/InputSequencer.ts';
import type { PtyInstance } from '../terminal/PtyInstance.ts';
import { recoverAbandoned } from '../terminal/recoverAbandoned.ts';
import { ShellCatalog } from '../terminal/ShellCatalog.ts';
import { DeltaStreams } from '../terminal/screen/DeltaStreams.ts';
import { ScreenPictures } from '../terminal/screen/ScreenPictures.ts';
import { ScreenReader } from '../terminal/screen/ScreenReader.ts';
import type { TerminalDeps } from '../terminal/TerminalDeps.ts';
import { detach } from '../util/strayErrors.ts';
import { Composing } from './Composing.ts';
import type { CoreOptions } from './CoreOptions.ts';
import { Housekeeping } from './Housekeeping.ts';
import { Opening } from './Opening.ts';
import { SettingsStore } from './SettingsStore.ts';
import { ShownTheme } from './ShownTheme.ts';
import { shellLauncher } from './shellLauncher.ts';
import { adoptShells, type LateParts, openLateParts, systemInfo } from './startParts.ts';
import { type NewTerminal, TerminalRegistry } from './TerminalRegistry.ts';
import { MAX_PASTE_CHARS, Uploads } from './uploads/Uploads.ts';
import { WorkspaceStore } from './WorkspaceStore.ts';

/** All terminals of one data folder; the entry point of both fronts. */
export class PtyChatClient {
  readonly settings: SettingsStore;
  readonly workspace: WorkspaceStore;
  readonly notices = new Notices();
  readonly history = new CommandHistory();
  readonly composing: Composing;
  readonly screenReader: ScreenReader;
  /** Orders typed input by the numbers that windows assign. */
  readonly typed = new InputSequencer<() => void>();
  /** Long pastes and commands on their way, by connection. */
  readonly uploads = new Uploads(MAX_PASTE_CHARS);
  /** The themes, and the one that the window shows. */
  readonly look: ShownTheme;
  readonly info: Omit<SystemInfo, 'frontend'>;
  readonly #options: CoreOptions;
  readonly #shells: ShellCatalog;
  readonly #hookLoader: HookLoader;
  readonly #screens: ScreenHost;
  readonly #terminals: TerminalRegistry;
  readonly notifications: Notifications;
  readonly projects: Projects;
  readonly housekeeping: Housekeeping;
  readonly recordings: Recordings;
  readonly search: EverywhereSearch;
  readonly chats: ConversationStore;
  /** Reads for clients of the MCP socket. */
  readonly outside: McpReadService;
  readonly deltaStreams = new DeltaStreams();
  /** Writes for clients of the MCP socket. */
  readonly clients: McpWriteService;
  readonly #integration: AgentIntegration;
  #late: LateParts | null = null;
  /** Opens outputs, file locations and agents with the person's programs. */
  readonly opening: Opening;
  #makeUrl: (() => string) | null = null;

  private constructor(options: CoreOptions, stores: { settings: SettingsStore; workspace: WorkspaceStore }) {
    this.#options = options;
    this.settings = stores.settings;
    this.workspace = stores.workspace;
    this.composing = new Composing({ ...options, history: this.history });
    this.look = new ShownTheme(options.dataFolder, {
      settings: () => this.settings.value,
      changed: (colors) => this.#terminals.all.forEach((one) => void one.screen.setColors(colors)),
    });
    this.#shells = new ShellCatalog({ hooksDir: options.files.hooksDir, env: options.env });
    this.#hookLoader = new HookLoader({ ...options, shells: this.#shells, folder: join(options.dataFolder, 'run') });
    this.#terminals = this.#registry(options);
    this.notifications = new Notifications({ ...options, terminals: this.#terminals, settings: this.settings });
    this.projects = new Projects({ ...options, terminals: this.#terminals });
    this.screenReader = new ScreenReader(options.dataFolder, (id) => this.#terminals.find(id)?.screen);
    this.#screens = new ScreenHost({ workerUrl: options.files.screenWorker, log: options.log, clock: options.clock });
    const isClosing = (id: string) => this.#terminals.isClosing(id);
    this.chats = new ConversationStore(options.dataFolder, (id) => this.#terminals.find(id)?.chat, isClosing);
    this.recordings = new Recordings({
      dataFolder: options.dataFolder,
      isOpen: (id) => this.#terminals.find(id) !== undefined || isClosing(id),
      bookOf: (id) => this.#terminals.find(id)?.book,
      chats: this.chats,
    });
    this.#integration = new AgentIntegration({
      ...options,
      settings: () => this.settings.value,
      called: (call) => this.#terminals.find(call.terminalId)?.agents.hooked(call),
    });
    this.search = new EverywhereSearch({
      ...options,
      workerUrl: options.files.searchWorker,
      flush: () => this.#terminals.all.forEach(({ chat }) => void chat.flush()),
    });
    this.outside = this.#readService(options);
    this.clients = this.#writeService(options);
    this.housekeeping = new Housekeeping({
      ...options,
      onRemoved: () => this.search.look(),
      notices: this.notices,
      limits: () => this.settings.value,
      openIds: () => this.#terminals.idsInUse,
      outputBytes: () => this.#terminals.all.reduce((sum, { rawSize }) => sum + rawSize, 0),
    });
    this.opening = this.#makeOpening(options);
    this.info = systemInfo(options, this.#shells);
  }

  #makeOpening(options: CoreOptions): Opening {
    return new Opening({
      ...options,
      env: () => this.#shells.completeEnv(),
      editor: () => this.settings.value['editor.command'],
      open: (where) => this.open(where),
      ...{ terminals: this.#terminals, clients: this.clients },
      folders: () => this.#terminals.all.filter(({ view }) => view.state !== 'exited').map(({ view }) => view.cwd),
      prompt: (id, text) => this.agents.promptFirst(id, text),
    });
  }

  #readService(options: CoreOptions): McpReadService {
    return new McpReadService({
      ...options,
      version: options.files.version,
      notices: this.notices,
      screens: this.screenReader,
      pictures: new ScreenPictures({ workerUrl: options.files.pictureWorker, theme: () => this.look.theme }),
      chats: this.chats,
      search: this.search,
      onTerminals: this.#terminals.onChange,
      open: () => this.#terminals.all,
      tabs: () => this.#terminals.tabNumbers(this.projects.view.rootOf, this.settings.value),
    });
  }

  #writeService(options: CoreOptions): McpWriteService {
    return new McpWriteService({
      ...options,
      notices: this.notices,
      policy: () => this.outside.gate.policy,
      agents: () => this.agents,
      openTerminal: (spec) => this.open(spec),
      closeTerminal: (id) => this.close(id, true),
      terminal: (id) => this.#terminals.find(id),
      terminals: () => this.#terminals.all,
    });
  }

  #registry(options: CoreOptions): TerminalRegistry {
    return new TerminalRegistry({
      ...options,
      workspace: this.workspace,
      shells: this.#shells,
      defaultShell: () => this.settings.value['shell.default'],
      deps: () => this.#deps,
      onBlock: (id, change) => {
        this.outside.handleBlock(id, change);
        this.notifications.handleBlock(id, change);
        if (change.type !== 'output') this.search.poke(id);
      },
      onClosing: (id) => this.clients.forget(id),
      onClosed: (id) => this.#integration.forget(id),
      claim: (id) => this.housekeeping.leave(id),
      warn: (key, text, id) => this.#raise(key, text, id),
    });
  }

  /** Reads the data folder, recovers and re-opens the tabs that were open. The caller holds the folder's lock. */
  static async start(options: CoreOptions): Promise<PtyChatClient> {
    const { settings, note } = await SettingsStore.open(options.dataFolder);
    const workspace = await WorkspaceStore.open(options.dataFolder);
    const core = new PtyChatClient(options, { settings, workspace });
    if (note) core.#raise('settings', note);
    await core.look.themes.list(); // before a program asks for colours
    await core.clients.open();
    core.clients.exec.onChange((result) => core.outside.handleExec(result));
    await core.#integration.open(); // the environment of each new shell names its socket
    await recoverAbandoned(options.dataFolder, core.#deps);
    const warn = (text: string, id: string | null) => core.#raise(`replies/${id}/${text}`, text, id); // one notice per text
    await core.notifications.load(workspace.value.order);
    const living = { terminals: core.#terminals, integration: core.#integration };
    await adoptShells({ ...living, options, workspace, typed: core.typed, warn });
    for (const id of workspace.value.order) await core.#terminals.restore(id);
    const { settings: chosen, opening, chats, search, clients } = core;
    const own = { settings: chosen, opening, chats, search, clients, terminals: core.#terminals };
    core.#late = await openLateParts(core, { ...own, options, warn });
    core.notifications.join(core.machines.lists.notifications);
    core.housekeeping.start();
    core.search.start();
    detach('loadHistory', core.composing.loadHistory());
    return core;
  }

  get #started(): LateParts {
    if (!this.#late) throw new Error('the core has not started yet');
    return this.#late;
  }

  /** All agents of the open terminals. */
  get agents(): LateParts['agents'] {
    return this.#started.agents;
  }

  /** Machines that the person reaches by ssh. */
  get machines(): LateParts['machines'] {
    return this.#started.machines;
  }

  /** Sends conversations as traces to a collector, if the person turned it on. */
  get telemetry() {
    return this.#started.telemetry;
  }

  setUrlMaker(make: () => string): void {
    this.#makeUrl = make;
  }

  newUrl(): string | null {
    return this.#makeUrl?.() ?? null;
  }

  /** Throws for an id that is not open: a bug of the caller, or a terminal that was just closed. */
  terminal(id: string): PtyInstance {
    return this.#terminals.get(id);
  }

  followTerminals(signal?: AbortSignal): AsyncGenerator<TerminalChange> {
    return this.#terminals.follow(signal);
  }

  open(spec: NewTerminal): Promise<TerminalView> {
    return this.#terminals.open(spec);
  }

  /** Reopens a closed terminal in a tab. Throws if it cannot be read or another process writes it. */
  openRecorded(id: string): Promise<TerminalView> {
    return this.#terminals.openRecorded(id);
  }

  /** Closes a terminal. Unless `isForced`, a terminal with running programs stays open, and the answer names them. */
  close(id: string, isForced: boolean): Promise<CloseVerdict> {
    return this.#terminals.close(id, isForced);
  }

  /** Hangs up on every shell, or leaves it to the next core; resolves when the record is complete. The tabs stay in workspace.json. */
  async stop(how: { isLeft?: boolean } = {}): Promise<void> {
    await this.#late?.machines.stop();
    await this.#late?.telemetry.stop();
    await this.housekeeping.stop();
    await this.clients.close();
    await this.notifications.close();
    await this.#terminals.stop(how);
    this.outside.dispose();
    await this.search.stop();
    this.#terminals.dispose();
    this.#screens.dispose();
    this.#late?.agents.dispose();
    this.#integration.dispose();
    this.#hookLoader.dispose();
  }

  get #deps(): TerminalDeps {
    return {
      ...this.#options,
      notices: this.notices,
      history: this.history,
      screens: this.#screens,
      scrollbackLines: 1000,
      colors: () => this.look.colors,
      hookLoader: this.#hookLoader,
      readBranch: readGitBranch,
      agents: this.#integration.deps,
      onChatWritten: (id) => [this.search, this.#late?.telemetry].forEach((one) => void one?.poke(id)),
      isAsked: () => this.outside.gate.isAsked,
      launch: shellLauncher({
        ...this.#options,
        ...{ hookLoader: this.#hookLoader, outside: this.outside, agents: this.#integration },
      }),
    };
  }

  #raise(key: string, text: string, terminalId: string | null = null): void {
    this.notices.raise({ key, level: 'warning', text, action: null, terminalId, atMs: this.#options.clock.nowMs() });
  }
}
