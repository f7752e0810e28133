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
  panes: z.array(PaneTree).default([]).catch([]), // an invalid layout must not cost the tabs
  projects: z.record(z.string(), ProjectLook).default({}),
  projectOrder: z.array(z.string()).default([]),
  windows: WindowLayouts.default({}).catch({}),
});
type WorkspaceFile = z.infer<typeof WorkspaceFile>;

/** Folders come and go, so choices for the oldest projects are dropped. */
const MAX_PROJECTS = 500;
const RETRY_MS = 2_000;

/**
 * workspace.json: the open tabs and their order, folded cards, open conversation panels, and for each window its front tab, its panes and the tabs
 * that only it shows. A new window begins with the layout that was changed last.
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

  /** The workspace of that window; an unknown one begins with the last change. */
  valueFor(windowId: string): Workspace {
    const { tabs = null, active = null, panes } = this.#value.windows[windowId] ?? {};
    return { ...this.value, tabs, active: active ?? this.value.active, panes: panes ?? this.value.panes };
  }

  /** Yields all open windows, now and after each change. A subscriber counts as an open window while it is subscribed. */
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

  /** `windowId`: the window that asked for the terminal. If it has its own tabs, it keeps the terminal. */
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

  /** From now on the window shows all tabs that are in no other window. */
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

  /** Tabs missing in `ids` keep their order at the end: reordering never closes one. */
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

  /** Saves the person's choices for a project; removes an entry that equals the defaults. */
  setProject(root: string, look: Look): Promise<void> {
    const { [root]: _, ...others } = this.#value.projects;
    const isUsual = look.name === null && look.color === null && !look.isCollapsed;
    const kept = Object.entries(others).slice(-MAX_PROJECTS);
    return this.#save({ projects: { ...Object.fromEntries(kept), ...(!isUsual && { [root]: look }) } });
  }

  setProjectOrder(roots: readonly string[]): Promise<void> {
    return this.#save({ projectOrder: [...new Set(roots)].slice(0, MAX_PROJECTS) });
  }

  /** The caller has to save. */
  #setWindows(windows: WindowLayouts): void {
    this.#value = { ...this.#value, windows };
    this.#windowsChanged.fire();
  }

  /**
   * Writes run in sequence, because two concurrent renames could leave the older state. A failing disk never prevents opening or closing a tab: the
   * write is retried.
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
