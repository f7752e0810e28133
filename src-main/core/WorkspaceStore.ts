import { join } from 'node:path';
import { z } from 'zod';
import type { Workspace } from '../contract/api.ts';
import { BlockId, TerminalId } from '../contract/ids.ts';
import { PaneTree } from '../contract/panes.ts';
import { type ProjectLook as Look, PROJECT_COLORS } from '../contract/project.ts';
import type { OpenWindow, OpenWindows } from '../contract/window/windows.ts';
import { machineOf } from '../shared/machineIds.ts';
import { readJsonFile, replaceFile } from '../store/files/replaceFile.ts';
import { systemClock } from '../util/Clock.ts';
import { Emitter } from '../util/Emitter.ts';
import { follow } from '../util/follow.ts';
import { SerialQueue } from '../util/SerialQueue.ts';
import { detach } from '../util/strayErrors.ts';
import { LiveWindows } from './LiveWindows.ts';
import { WindowLayouts, withLayout, withMoved, withoutTerminal } from './windowLayouts.ts';

const ProjectLook = z.object({
  name: z.string().nullable().default(null),
  color: z.enum(PROJECT_COLORS).nullable().default(null),
  isCollapsed: z.boolean().default(false),
});

const WorkspaceFile = z.object({
  version: z.literal(1).default(1),
  order: z.array(TerminalId).default([]),
  active: z.nullable(TerminalId).default(null),
  folded: z.array(BlockId).default([]),
  chats: z.record(TerminalId, z.boolean()).default({}),
  panes: z.array(PaneTree).default([]).catch([]), // the tabs are worth more than how they were arranged
  projects: z.record(z.string(), ProjectLook).default({}),
  projectOrder: z.array(z.string()).default([]),
  windows: WindowLayouts.default({}).catch({}),
});
type WorkspaceFile = z.infer<typeof WorkspaceFile>;

/** Folders come and go; what was chosen for the oldest is forgotten. */
const MAX_PROJECTS = 500;
const RETRY_MS = 2_000;

/**
 * workspace.json: which tabs are open and in which order, which cards are folded, where the conversation is open, and for each window which
 * tab is in front, how tabs are split and which it has to itself. What a window changed last is where a new window begins.
 */
export class WorkspaceStore {
  readonly #path: string;
  #value: WorkspaceFile;
  readonly #writing = new SerialQueue();
  #retry: NodeJS.Timeout | null = null;
  readonly #windowsChanged = new Emitter<void>();
  readonly #live = new LiveWindows(systemClock);

  private constructor(path: string, value: WorkspaceFile) {
    this.#path = path;
    this.#value = value;
    this.#live.onChange(() => this.#windowsChanged.fire());
  }

  static async open(dataFolder: string): Promise<WorkspaceStore> {
    const path = join(dataFolder, 'workspace.json');
    const read = await readJsonFile(path, WorkspaceFile);
    return new WorkspaceStore(path, read.status === 'ok' ? read.value : WorkspaceFile.parse({}));
  }

  get value(): Workspace {
    return {
      order: this.#value.order,
      active: this.#value.active,
      folded: Object.fromEntries(this.#value.folded.map((id) => [id, true as const])),
      chats: this.#value.chats,
      panes: this.#value.panes,
      projects: this.#value.projects,
      projectOrder: this.#value.projectOrder,
    };
  }

  /** As the window of that id shows it; one that is not known begins with what was changed last. */
  valueFor(windowId: string): Workspace {
    const { tabs = null, active = null, panes } = this.#value.windows[windowId] ?? {};
    return { ...this.value, tabs, active: active ?? this.value.active, panes: panes ?? this.value.panes };
  }

  /** All open windows, now and after each change. Who follows is one of them for as long as it does. */
  async *followWindows(own: string, signal?: AbortSignal): AsyncGenerator<OpenWindows> {
    const leave = this.#live.enter(own);
    try {
      for await (const _ of follow(this.#windowsChanged.on, () => [undefined], signal))
        yield { own, windows: this.#openWindows };
    } finally {
      leave();
    }
  }

  get #openWindows(): OpenWindow[] {
    return this.#live.ids.map((id) => {
      const { tabs = null, active = null } = this.#value.windows[id] ?? {};
      return { id, tabs, active };
    });
  }

  /** `windowId`: the window that asked for the terminal. One with tabs of its own keeps it. */
  opened(id: string, windowId?: string): Promise<void> {
    if (windowId !== undefined && this.#value.windows[windowId]?.tabs)
      this.#setWindows(withMoved(this.#value.windows, id, windowId));
    if (this.#value.order.includes(id)) return this.setActive(id);
    return this.#save({ order: [...this.#value.order, id], active: id });
  }

  /** Adds the tab at the end, in the background. */
  openedBehind(id: string): Promise<void> {
    const { order, active } = this.#value;
    return this.#save({ order: [...order, id], active: active ?? id });
  }

  /** See `withMoved`. */
  moveTab(id: string, to: string | null): Promise<void> {
    this.#setWindows(withMoved(this.#value.windows, id, to));
    return this.#save({});
  }

  /** The window shows all that are in no other one, from now on. */
  showAll(windowId: string): Promise<void> {
    this.#setWindows(withLayout(this.#value.windows, windowId, { tabs: null }));
    return this.#save({});
  }

  closed(id: string): Promise<void> {
    const order = this.#value.order.filter((known) => known !== id);
    const active = this.#value.active === id ? (order.at(-1) ?? null) : this.#value.active;
    this.#setWindows(withoutTerminal(this.#value.windows, id));
    return this.#save({ order, active });
  }

  /** Tabs that `ids` leaves out keep their places at the end: a reorder never closes one. */
  setOrder(ids: readonly string[]): Promise<void> {
    const known = new Set(this.#value.order);
    const wanted = [...new Set(ids)].filter((id) => known.has(id));
    const rest = this.#value.order.filter((id) => !wanted.includes(id));
    return this.#save({ order: [...wanted, ...rest] });
  }

  setActive(id: string, windowId?: string): Promise<void> {
    if (windowId !== undefined) this.#setWindows(withLayout(this.#value.windows, windowId, { active: id }));
    return this.#save({ active: id });
  }

  setFolded(blockId: string, folded: boolean): Promise<void> {
    const others = this.#value.folded.filter((id) => id !== blockId);
    return this.#save({ folded: folded ? [...others, blockId] : others });
  }

  /** Saves whether the conversation panel of this tab is open, and drops the entries of closed tabs. */
  setChat(id: string, isOpen: boolean): Promise<void> {
    const { order, chats } = this.#value;
    const kept = Object.entries(chats).filter(([known]) => order.includes(known) || machineOf(known) !== null);
    return this.#save({ chats: { ...Object.fromEntries(kept), [id]: isOpen } });
  }

  /** Saves the tabs of several panes. Terminals that are gone by then are dropped by the window that reads them. */
  setPanes(panes: PaneTree[], windowId?: string): Promise<void> {
    if (windowId !== undefined) this.#setWindows(withLayout(this.#value.windows, windowId, { panes }));
    return this.#save({ panes });
  }

  /** Saves what the person chose for a project; one that looks as every project does is forgotten. */
  setProject(root: string, look: Look): Promise<void> {
    const { [root]: _, ...others } = this.#value.projects;
    const isUsual = look.name === null && look.color === null && !look.isCollapsed;
    const kept = Object.entries(others).slice(-MAX_PROJECTS);
    return this.#save({ projects: { ...Object.fromEntries(kept), ...(!isUsual && { [root]: look }) } });
  }

  setProjectOrder(roots: readonly string[]): Promise<void> {
    return this.#save({ projectOrder: [...new Set(roots)].slice(0, MAX_PROJECTS) });
  }

  /** The caller saves. */
  #setWindows(windows: WindowLayouts): void {
    this.#value = { ...this.#value, windows };
    this.#windowsChanged.fire();
  }

  /**
   * Writes follow each other: two renames at once could leave the older state in front. A disk that refuses keeps nobody from opening or
   * closing a tab: it is tried again.
   */
  #save(change: Partial<WorkspaceFile>): Promise<void> {
    this.#value = { ...this.#value, ...change };
    return this.#writing.run(() =>
      replaceFile(this.#path, `${JSON.stringify(this.#value)}\n`).catch(() => this.#saveLater()),
    );
  }

  #saveLater(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = null;
      detach('WorkspaceStore', this.#save({}));
    }, RETRY_MS).unref();
  }
}
