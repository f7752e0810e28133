import type { BlockChange, CloseVerdict, TerminalChange } from '../contract/api.ts';
import type { Settings } from '../contract/settings.ts';
import type { TerminalMeta, TerminalView } from '../contract/terminal.ts';
import { groupTerminals } from '../shared/groupTerminals.ts';
import { livingWriter } from '../store/instance/writerMark.ts';
import { recoverTerminal } from '../store/record/recover.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';
import { BlockStore } from '../terminal/blocks/BlockStore.ts';
import { PtyInstance } from '../terminal/PtyInstance.ts';
import type { ShellCatalog } from '../terminal/ShellCatalog.ts';
import type { TerminalDeps } from '../terminal/TerminalDeps.ts';
import { TerminalRecord } from '../terminal/TerminalRecord.ts';
import type { Clock } from '../util/Clock.ts';
import { Emitter } from '../util/Emitter.ts';
import { follow } from '../util/follow.ts';
import { InFlight } from '../util/InFlight.ts';
import type { Log } from '../util/Log.ts';
import { detach } from '../util/strayErrors.ts';
import type { TerminalStart } from './adoptTerminal.ts';
import type { WorkspaceStore } from './WorkspaceStore.ts';

export interface RegistrySpec {
  readonly dataFolder: string;
  readonly home: string;
  readonly clock: Clock;
  readonly log: Log;
  /** 2 × `bytes` hex digits of good randomness. */
  readonly randomId: (bytes: number) => string;
  readonly workspace: WorkspaceStore;
  readonly shells: ShellCatalog;
  /** The person's choice of a shell. */
  defaultShell(): string;
  /** Dependencies of each terminal. */
  deps(): TerminalDeps;
  onBlock(terminalId: string, change: BlockChange): void;
  /** Its tab was removed; the terminal closes next. */
  onClosing(terminalId: string): void;
  /** Every byte is in its files. */
  onClosed(terminalId: string): void;
  /** Resolves when housekeeping no longer uses that terminal's files. */
  claim(terminalId: string): Promise<void>;
  warn(key: string, text: string, terminalId: string): void;
}

export interface NewTerminal {
  shell?: string | undefined;
  cwd?: string | undefined;
  /** The window that asks. */
  window?: string | undefined;
  /** Name of the tab. */
  name?: string | undefined;
  /** `agent:` and the client that opens the terminal, whose tab stays in the background. */
  openedBy?: string | undefined;
  /** The client's proved name; null if it has none. */
  owner?: string | null | undefined;
  cols: number;
  rows: number;
}

/** The open terminals: opens, restores and closes them, and keeps the tabs in step. */
export class TerminalRegistry {
  readonly #spec: RegistrySpec;
  readonly #terminals = new Map<string, PtyInstance>();
  /** Terminals without a tab that still write their files. */
  readonly #closing = new InFlight<void>();
  readonly #opening = new InFlight<TerminalView>();
  readonly #changes = new Emitter<TerminalChange>();
  #isStopping = false;

  readonly onChange = this.#changes.on;

  constructor(spec: RegistrySpec) {
    this.#spec = spec;
  }

  /** In the order of the tabs. */
  get all(): PtyInstance[] {
    const { order } = this.#spec.workspace.value;
    return [...this.#terminals.values()].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  }

  /** Returns the number of each terminal's tab, from 1, as a window with all tabs counts them. */
  tabNumbers(
    rootOf: Readonly<Record<string, string>>,
    settings: Pick<Settings, 'tabs' | 'tabs.groups'>,
  ): Map<string, number> {
    const isGrouped = settings.tabs === 'side' && settings['tabs.groups'];
    const { projectOrder } = this.#spec.workspace.value;
    const all = this.all.map(({ id, view }) => ({ id, cwd: view.cwd }));
    const list = isGrouped ? groupTerminals(all, rootOf, projectOrder).flatMap((one) => one.terminals) : all;
    return new Map(list.map(({ id }, at) => [id, at + 1]));
  }

  /** Ids of terminals with open files, including those being closed. */
  get idsInUse(): Set<string> {
    return new Set([...this.#spec.workspace.value.order, ...this.#terminals.keys(), ...this.#closing.keys]);
  }

  find(id: string): PtyInstance | undefined {
    return this.#terminals.get(id);
  }

  isClosing(id: string): boolean {
    return this.#closing.of(id) !== null;
  }

  /** Resolves once a terminal that is being closed has closed its files. */
  async closed(id: string): Promise<void> {
    await Promise.allSettled([this.#closing.of(id)]);
  }

  /** Throws for an id that is not open: a bug of the caller, or a terminal that was just closed. */
  get(id: string): PtyInstance {
    const found = this.#terminals.get(id);
    if (!found) throw new Error(`No terminal "${id}" (open: ${[...this.#terminals.keys()].join(', ') || 'none'})`);
    return found;
  }

  follow(signal?: AbortSignal): AsyncGenerator<TerminalChange> {
    return follow(this.#changes.on, () => [{ type: 'all', terminals: this.all.map(({ view }) => view) }], signal);
  }

  async open(spec: NewTerminal): Promise<TerminalView> {
    const { shells, clock, randomId, home, dataFolder, workspace } = this.#spec;
    const shell = shells.choose(spec.shell ?? this.#spec.defaultShell());
    const createdMs = clock.nowMs();
    const id = `t${createdMs.toString(36)}-${randomId(4)}`;
    const meta: TerminalMeta = {
      ...{ version: 1, id, shell: shell.name, argv: [shell.path], cwd: spec.cwd || home },
      ...{ cols: spec.cols, rows: spec.rows, createdMs, title: '' },
      ...(spec.name !== undefined && { name: spec.name }),
      ...(spec.openedBy !== undefined && { openedBy: spec.openedBy }),
      ...(typeof spec.owner === 'string' && { owner: spec.owner }),
    };
    const terminal = this.add(new SessionFolder(dataFolder, id), meta, { nextSeq: 1, rawSize: 0 });
    terminal.start();
    if (spec.openedBy === undefined) await workspace.opened(id, spec.window);
    else await workspace.openedBehind(id);
    this.#changes.fire({ type: 'changed', terminal: terminal.view });
    return terminal.view;
  }

  /** Reopens a closed terminal in a tab. Throws if its record cannot be read or another process writes it. */
  openRecorded(id: string): Promise<TerminalView> {
    return this.#opening.run(id, () => this.#openRecorded(id));
  }

  async #openRecorded(id: string): Promise<TerminalView> {
    const { dataFolder, workspace } = this.#spec;
    await this.closed(id); // its files have one writer
    const folder = new SessionFolder(dataFolder, id);
    if (livingWriter(folder) !== null) throw new Error(`terminal "${id}" is being recorded by another process`);
    if (!SessionFolder.list(dataFolder).includes(id)) throw new Error(`No record of a terminal "${id}"`);
    await workspace.opened(id); // first, so that housekeeping does not archive or remove it meanwhile
    await this.#spec.claim(id);
    if (!this.#terminals.has(id)) await this.restore(id, { isReopened: true });
    if (!this.#terminals.has(id)) await workspace.closed(id);
    const { view } = this.get(id);
    this.#changes.fire({ type: 'changed', terminal: view });
    return view;
  }

  async close(id: string, isForced: boolean): Promise<CloseVerdict> {
    const terminal = this.get(id);
    const running = isForced ? [] : terminal.input.runningPrograms();
    if (running.length > 0) return { closed: false, running };
    this.#terminals.delete(id);
    await this.#closing.run(id, () => this.#close(terminal));
    return { closed: true };
  }

  async #close(terminal: PtyInstance): Promise<void> {
    const saved = this.#spec.workspace.closed(terminal.id);
    this.#changes.fire({ type: 'removed', id: terminal.id });
    this.#spec.onClosing(terminal.id);
    const closed = terminal.close().finally(() => this.#handleClosed(terminal.id));
    await Promise.allSettled([saved, closed]); // stays in `#closing` until its files are closed, even if the tabs cannot be saved
    await Promise.all([saved, closed]);
  }

  #handleClosed(id: string): void {
    new SessionFolder(this.#spec.dataFolder, id).touch();
    this.#spec.onClosed(id);
  }

  /**
   * Reopens a tab of the previous run. A terminal that cannot be reopened causes a notice. `isReopened`: the person opened it again, so no client
   * owns it any more.
   */
  async restore(id: string, { isReopened = false } = {}): Promise<void> {
    if (this.#terminals.has(id)) return; // adopted
    const { dataFolder, clock, log } = this.#spec;
    const folder = new SessionFolder(dataFolder, id);
    folder.touch();
    try {
      const recovered = await recoverTerminal(folder, { nowMs: clock.nowMs(), log });
      const { blocks, nextSeq, notes, interrupted, textLost, rawSize } = recovered;
      const isRecording = recovered.meta.origin !== undefined;
      const { owner, ...own } = isRecording ? recovered.meta : this.#withShell(recovered.meta);
      const meta = owner === undefined || isReopened ? own : { ...own, owner };
      const terminal = this.add(folder, meta, { nextSeq, blocks, rawSize });
      if (!isRecording) terminal.start(true);
      detach('TerminalRegistry', terminal.book.texts.repair([...interrupted, ...textLost]));
      detach('TerminalRegistry', terminal.chat.repair());
      if (notes.length > 0)
        this.#spec.warn(`recovered/${id}`, `A terminal was not closed properly: ${notes.join('; ')}`, id);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#spec.warn(`lost/${id}`, `The terminal ${id} could not be opened again: ${reason}`, id);
    }
  }

  /** Hangs up on every shell, or leaves it to the next core; resolves when each record is complete. The tabs stay in workspace.json. */
  async stop(how: { isLeft?: boolean } = {}): Promise<void> {
    this.#isStopping = true;
    await Promise.all([this.#closing.idle(), ...[...this.#terminals.values()].map((terminal) => terminal.close(how))]);
  }

  dispose(): void {
    this.#terminals.clear();
    this.#changes.dispose();
  }

  /** A meta.json that had to be rebuilt no longer knows its shell. */
  #withShell(meta: TerminalMeta): TerminalMeta {
    if (meta.argv.length > 0) return meta;
    const { path, name } = this.#spec.shells.choose(this.#spec.defaultShell());
    return { ...meta, shell: name, argv: [path] };
  }

  /** Opens a terminal without a shell; its folder is complete. */
  add(folder: SessionFolder, meta: TerminalMeta, from: TerminalStart): PtyInstance {
    const deps = this.#spec.deps();
    const isContinued = from.shown !== undefined;
    const { rawSize, sizes } = from;
    const record = new TerminalRecord(folder, { meta, rawSize, isContinued, ...(sizes && { sizes }) }, deps);
    const book = new BlockStore(deps, record, from);
    const terminal = new PtyInstance(deps, record, book, from.shown);
    this.#terminals.set(meta.id, terminal);
    book.onChange((change) => this.#spec.onBlock(meta.id, change));
    terminal.onChanged((view) => {
      if (!this.#isStopping && this.#terminals.has(view.id)) this.#changes.fire({ type: 'changed', terminal: view });
    });
    return terminal;
  }
}
