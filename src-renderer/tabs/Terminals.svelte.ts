import { SvelteMap } from 'svelte/reactivity';
import type { CloseVerdict, TerminalChange, Workspace } from '../../src-main/contract/api.ts';
import type { Block } from '../../src-main/contract/block.ts';
import type { Approval } from '../../src-main/contract/mcp/approval.ts';
import type { TerminalView } from '../../src-main/contract/terminal.ts';
import { strings } from '../app/strings.ts';
import { isWaiting } from '../conversation/chatWords.ts';
import { Panes } from '../panes/Panes.svelte.ts';
import { leavesOf, type Side } from '../panes/paneTree.ts';
import type { Rpc, Stop } from '../rpc/Rpc.ts';
import { WindowTabs } from '../windows/WindowTabs.svelte.ts';
import { NextTab } from './NextTab.svelte.ts';
import { agentOf, failureOf, headline, TerminalState } from './TerminalState.svelte.ts';
import { inOrder, moved } from './tabOrder.ts';

/** Where nothing can be measured. */
const FIRST_SIZE = { cols: 100, rows: 30 };

/** Beside which pane a new terminal is shown. */
export interface PanePlace {
  at: string;
  side: Side;
}

/** The terminals, in the person's order, and which of them has the focus. */
export class Terminals {
  readonly #rpc: Rpc;
  readonly #isNews: (ended: Block, isShown: boolean) => boolean;
  readonly #byId = new SvelteMap<string, TerminalState>();
  /** The keys, while another tab is about to be shown. */
  readonly next = new NextTab();
  /** Terminals that were to be closed in this window since it was loaded, the last one last. */
  readonly #closedIds: string[] = [];
  /** Shown tabs that are being closed. */
  readonly #leaving = new Map<string, Stop>();
  #order = $state.raw<readonly string[]>([]);
  activeId = $state<string | null>(null);
  /** False until the core told of its terminals for the first time. */
  isKnown = $state(false);
  /** How large a new terminal will be, so that its first command sees the size that it is shown in. */
  sizeOfNew: (place?: PanePlace) => Promise<{ cols: number; rows: number }> = async () => FIRST_SIZE;
  /** What an outside client asks for in the terminal of that id. */
  askedIn: (id: string) => Approval | undefined = () => undefined;
  /** The person has the window before them. */
  isLookedAt: () => boolean = () => true;
  /** An agent came to wait for the person. Not called for those that waited before the window was there. */
  onAgentWaits: (terminal: TerminalState) => void = () => undefined;
  /** A command ended, with the block as it is now. */
  onEnded: (terminal: TerminalState, ended: Block) => void = () => undefined;
  /** The order in which tabs are shown: those of a project stand together. */
  arrange: (list: TerminalState[]) => TerminalState[] = (list) => list;
  readonly list = $derived(
    this.arrange(inOrder([...this.#byId.values()], this.#order).filter(({ id }) => this.windows.isHere(id))),
  );
  /** How many terminals wait for the person, in all windows. */
  readonly waitingEverywhere = $derived([...this.#byId.values()].filter(({ status }) => status === 'waits').length);
  readonly active = $derived(this.activeId === null ? undefined : this.#byId.get(this.activeId));
  readonly panes: Panes;
  readonly windows: WindowTabs;
  /** The panes of the shown tab; the focused one is the active terminal's. */
  readonly layout = $derived.by(() => (this.activeId === null ? null : this.panes.shownWith(this.activeId)));
  readonly shown = $derived.by(() =>
    (this.layout ? leavesOf(this.layout) : []).flatMap((id) => this.#byId.get(id) ?? []),
  );

  /** `isNews` decides whether the end of a command marks its tab until somebody looks. */
  constructor(rpc: Rpc, workspace: Workspace, isNews: (ended: Block, isShown: boolean) => boolean) {
    this.#rpc = rpc;
    this.#isNews = isNews;
    this.#order = workspace.order;
    this.panes = new Panes(rpc.workspace, workspace.panes);
    this.activeId = workspace.active;
    this.windows = new WindowTabs(rpc.workspace, workspace.tabs ?? null);
    this.windows.onChange = () => this.#leaveMoved();
  }

  start(): Stop {
    const stops = [this.windows.start(), this.#rpc.terminal.onChange((change) => this.apply(change))];
    return () => {
      for (const stop of stops) stop();
    };
  }

  byId(id: string): TerminalState | undefined {
    return this.#byId.get(id);
  }

  apply(change: TerminalChange): void {
    switch (change.type) {
      case 'all': {
        const present = new Set(change.terminals.map((view) => view.id));
        for (const id of [...this.#byId.keys()]) if (!present.has(id)) this.#remove(id);
        for (const view of change.terminals) this.#put(view);
        this.panes.keepOnly([...present]);
        this.isKnown = true;
        this.#keepOneActive();
        break;
      }
      case 'changed':
        this.#put(change.terminal);
        this.#keepOneActive();
        break;
      case 'removed':
        this.#remove(change.id);
        this.#keepOneActive();
    }
  }

  isShown(id: string): boolean {
    return this.shown.some((terminal) => terminal.id === id);
  }

  /** Shows the tab of that terminal, gives its pane the focus, and takes its bell back. */
  async activate(id: string): Promise<void> {
    if (!this.#byId.has(id)) return;
    this.activeId = id;
    this.panes.focused(id);
    await this.windows.bring(id);
    await this.#rpc.workspace.setActive({ id });
    await this.see(id);
  }

  /** Somebody looked at the tab: its marks are taken back. */
  async see(id: string): Promise<void> {
    const terminal = this.#byId.get(id);
    if (!terminal) return;
    terminal.news = null;
    terminal.failure = null;
    if (terminal.view.bell) await this.#rpc.terminal.seen({ id });
  }

  /** `by` steps from the shown tab, around the ends. */
  async step(by: number): Promise<void> {
    const at = this.list.findIndex(({ id }) => id === this.activeId);
    const next = this.list[(at + by + this.list.length) % this.list.length];
    if (next) await this.activate(next.id);
  }

  /** The next tab after the shown one in which an agent waits or a client asks, around the end; the shown one comes last. */
  nextWaiting(): TerminalState | undefined {
    const at = this.list.findIndex(({ id }) => id === this.activeId);
    return [...this.list.slice(at + 1), ...this.list.slice(0, at + 1)].find(({ status }) => status === 'waits');
  }

  /** A new tab, or a new pane at a place of a tab. */
  async open(from: { machine?: string; shell?: string; cwd?: string } = {}, place?: PanePlace): Promise<TerminalState> {
    return this.show(async () => this.#rpc.terminal.open({ ...from, ...(await this.sizeOfNew(place)) }), place);
  }

  /** Shows the terminal that this brings, and keeps for it what is typed until then. */
  async show(bring: () => Promise<TerminalView>, place?: PanePlace): Promise<TerminalState> {
    const over = this.next.expect();
    try {
      const terminal = this.#put(await bring());
      if (place && this.#byId.has(place.at)) this.panes.put(terminal.id, place);
      const seen = this.activate(terminal.id);
      over();
      await seen;
      return terminal;
    } finally {
      over();
    }
  }

  /** What is typed while the shown tab is being closed is for the one after it. */
  async close(id: string, force: boolean): Promise<CloseVerdict> {
    const over = id === this.activeId ? this.next.expect() : () => undefined;
    this.#leaving.set(id, over);
    this.#closedIds.push(id);
    try {
      return await this.#rpc.terminal.close({ id, force });
    } finally {
      this.#leaving.delete(id);
      over();
    }
  }

  /** The terminal whose tab was closed last in this window, which is forgotten with it; undefined if the window was loaded since. */
  takeLastClosed(): string | undefined {
    const at = this.#closedIds.findLastIndex((id) => this.byId(id) === undefined);
    return at < 0 ? undefined : this.#closedIds.splice(at)[0];
  }

  async move(id: string, to: number): Promise<void> {
    const ids = moved(
      this.list.map((terminal) => terminal.id),
      id,
      to,
    );
    this.#order = ids;
    await this.#rpc.workspace.setOrder({ ids });
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#rpc.terminal.rename({ id, name: name.trim() || null });
  }

  #put(view: TerminalView): TerminalState {
    let terminal = this.#byId.get(view.id);
    if (terminal) {
      const before = terminal.view.runningBlockId;
      const didWait = waits(terminal.view);
      terminal.view = view;
      terminal.ahead.sees(view);
      if (!didWait && waits(view)) this.onAgentWaits(terminal);
      if (before !== view.runningBlockId) this.#refreshLast(terminal, before);
    } else {
      terminal = new TerminalState(view, () => this.askedIn(view.id));
      this.#byId.set(view.id, terminal);
      if (!this.#order.includes(view.id)) this.#order = [...this.#order, view.id]; // what comes now stands last, however old it is
      this.#refreshLast(terminal, null);
    }
    return terminal;
  }

  /** The tab needs its newest block's text and exit code; the block list of a hidden tab is not followed. */
  #refreshLast(terminal: TerminalState, endedId: string | null): void {
    this.#rpc.block.page({ terminalId: terminal.id, limit: 1 }).then(
      ({ blocks }) => {
        const last = blocks.at(-1) ?? null;
        terminal.lastBlock = last;
        const hasEnded = last !== null && last.id === endedId && last.endedMs !== null;
        const isShown = this.isShown(terminal.id);
        if (hasEnded) this.onEnded(terminal, last);
        if (hasEnded) terminal.failure = isShown && this.isLookedAt() ? null : failureOf(last);
        if (hasEnded && this.#isNews(last, isShown)) terminal.news = headline(last.cmd) ?? strings.tabs.aCommand;
      },
      () => {
        // Only the tab's picture depends on it, and the next change asks again; a lost connection is shown elsewhere.
      },
    );
  }

  #remove(id: string): void {
    if (this.activeId === id) {
      const at = this.list.findIndex((terminal) => terminal.id === id);
      this.activeId = this.panes.heirOf(id) ?? (this.list[at + 1] ?? this.list[at - 1])?.id ?? null;
    }
    this.panes.takeOut(id);
    this.#byId.delete(id);
    this.#leaving.get(id)?.(); // the core still saves what is left of it, which may take a while
  }

  /** Terminals that went to another window leave their panes here. */
  #leaveMoved(): void {
    for (const id of this.#byId.keys()) if (!this.windows.isHere(id)) this.panes.takeOut(id);
    this.#keepOneActive();
  }

  #keepOneActive(): void {
    if (!this.isKnown) return; // the windows may be known before the terminals
    if (this.active && this.windows.isHere(this.active.id)) return;
    this.activeId = this.list[0]?.id ?? null;
  }
}

function waits(view: TerminalView): boolean {
  const agent = agentOf(view);
  return agent !== null && isWaiting(agent.state);
}
