import { SvelteMap } from 'svelte/reactivity';
import type { CloseVerdict, TerminalChange, Workspace } from '../../src-main/contract/api.ts';
import type { Block } from '../../src-main/contract/block.ts';
import type { Approval } from '../../src-main/contract/mcp/approval.ts';
import type { TerminalView } from '../../src-main/contract/terminal.ts';
import { machineOf } from '../../src-main/shared/machineIds.ts';
import { strings } from '../app/strings.ts';
import { isWaiting } from '../conversation/chatWords.ts';
import { Panes } from '../panes/Panes.svelte.ts';
import { leavesOf, type Side } from '../panes/paneTree.ts';
import type { Rpc, Stop } from '../rpc/Rpc.ts';
import { WindowTabs } from '../windows/WindowTabs.svelte.ts';
import { NextTab } from './NextTab.svelte.ts';
import { agentOf, headline, TerminalState } from './TerminalState.svelte.ts';
import { inOrder, moved } from './tabOrder.ts';

/** Size of a terminal if nothing can be measured. */
const FIRST_SIZE = { cols: 100, rows: 30 };

/** The pane beside which a new terminal opens. */
export interface PanePlace {
  at: string;
  side: Side;
}

/** The terminals, in the person's order, and the focused one. */
export class Terminals {
  readonly #rpc: Rpc;
  readonly #isNews: (ended: Block, isShown: boolean) => boolean;
  readonly #byId = new SvelteMap<string, TerminalState>();
  /** Holds keys while another tab is opening. */
  readonly next = new NextTab();
  /** Terminals that the person closed in this window since it was loaded, the last one last. */
  readonly #closedIds: string[] = [];
  /** Shown tabs that are closing. */
  readonly #leaving = new Map<string, Stop>();
  #order = $state.raw<readonly string[]>([]);
  activeId = $state<string | null>(null);
  /** False until the core has sent its terminals for the first time. */
  isKnown = $state(false);
  /** The tab that was shown before the page was loaded, until its machine is connected or the person does something else. */
  awaited: string | null = null;
  /** Size of a new terminal, so that its first command gets the right size. */
  sizeOfNew: (place?: PanePlace) => Promise<{ cols: number; rows: number }> = async () => FIRST_SIZE;
  /** The approval that a client requests in a terminal. */
  askedIn: (id: string) => Approval | undefined = () => undefined;
  /** Whether the person looks at the window. */
  isLookedAt: () => boolean = () => true;
  /** An agent began to wait for the person. Not called for agents that waited before the window was loaded. */
  onAgentWaits: (terminal: TerminalState) => void = () => undefined;
  /** A command ended; `ended` is its block now. */
  onEnded: (terminal: TerminalState, ended: Block) => void = () => undefined;
  /** Orders the tabs, with those of a project together. */
  arrange: (list: TerminalState[]) => TerminalState[] = (list) => list;
  readonly list = $derived(
    this.arrange(inOrder([...this.#byId.values()], this.#order).filter(({ id }) => this.windows.isHere(id))),
  );
  /** Number of terminals that wait for the person, in all windows. */
  readonly waitingEverywhere = $derived([...this.#byId.values()].filter(({ status }) => status === 'waits').length);
  readonly active = $derived(this.activeId === null ? undefined : this.#byId.get(this.activeId));
  readonly panes: Panes;
  readonly windows: WindowTabs;
  /** The panes of the shown tab; the focused one is the active terminal's. */
  readonly layout = $derived.by(() => (this.activeId === null ? null : this.panes.shownWith(this.activeId)));
  readonly shown = $derived.by(() =>
    (this.layout ? leavesOf(this.layout) : []).flatMap((id) => this.#byId.get(id) ?? []),
  );

  /** `isNews`: whether the end of a command marks its tab until the person looks at it. */
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
        const isUnheard = (id: string) => change.unheard?.includes(machineOf(id) ?? '') === true;
        for (const id of [...this.#byId.keys()]) if (!present.has(id) && !isUnheard(id)) this.#remove(id);
        for (const view of change.terminals) this.#put(view);
        if (this.activeId !== null && !this.#byId.has(this.activeId) && isUnheard(this.activeId))
          this.awaited = this.activeId;
        this.panes.keepOnly([...this.#byId.keys()], isUnheard);
        this.isKnown = true;
        this.#leaveMoved();
        this.#returnToAwaited();
        break;
      }
      case 'changed':
        this.#put(change.terminal);
        this.#keepOneActive();
        this.#returnToAwaited();
        break;
      case 'removed':
        this.#remove(change.id);
        this.#keepOneActive();
    }
  }

  isShown(id: string): boolean {
    return this.shown.some((terminal) => terminal.id === id);
  }

  /** Shows the terminal's tab, focuses its pane, and clears its bell. */
  async activate(id: string): Promise<void> {
    if (!this.#byId.has(id)) return;
    this.awaited = null;
    this.activeId = id;
    this.panes.focused(id);
    await this.windows.bring(id);
    await this.#rpc.workspace.setActive({ id });
    await this.see(id);
  }

  /** Clears the marks of a tab because the person looked at it. */
  async see(id: string): Promise<void> {
    const terminal = this.#byId.get(id);
    if (!terminal) return;
    terminal.news = null;
    if (terminal.view.bell || terminal.view.failure) await this.#rpc.terminal.seen({ id });
  }

  /** Moves `by` tabs from the shown one; wraps around at both ends. */
  async step(by: number): Promise<void> {
    const at = this.list.findIndex(({ id }) => id === this.activeId);
    const next = this.list[(at + by + this.list.length) % this.list.length];
    if (next) await this.activate(next.id);
  }

  /** The next tab after the shown one with a waiting agent or a client's request; wraps around, and the shown one comes last. */
  nextWaiting(): TerminalState | undefined {
    const at = this.list.findIndex(({ id }) => id === this.activeId);
    return [...this.list.slice(at + 1), ...this.list.slice(0, at + 1)].find(({ status }) => status === 'waits');
  }

  /** Opens a new tab, or a new pane in a tab. */
  async open(from: { machine?: string; shell?: string; cwd?: string } = {}, place?: PanePlace): Promise<TerminalState> {
    return this.show(async () => this.#rpc.terminal.open({ ...from, ...(await this.sizeOfNew(place)) }), place);
  }

  /** Shows the terminal that `bring` returns, and holds keys for it until then. */
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

  /** Keys typed while the shown tab is closing are for the next one. */
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

  /** Removes and returns the terminal whose tab was closed last in this window; undefined if the window was loaded since. */
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

  #put(heard: TerminalView): TerminalState {
    let terminal = this.#byId.get(heard.id);
    const view = this.#withoutSeen(heard);
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
      if (!this.#order.includes(view.id)) this.#order = [...this.#order, view.id]; // a new terminal is last, however old it is
      this.#refreshLast(terminal, null);
    }
    return terminal;
  }

  /** A failure that the person watched is no news. */
  #withoutSeen(view: TerminalView): TerminalView {
    if (view.failure === null || !this.isShown(view.id) || !this.isLookedAt()) return view;
    // If the core does not hear it, the mark comes back, and the next look takes it away.
    this.#rpc.terminal.seen({ id: view.id }).catch(() => undefined);
    return { ...view, failure: null };
  }

  /** The tab needs the text and exit code of its newest block; a hidden tab does not follow the block list. */
  #refreshLast(terminal: TerminalState, endedId: string | null): void {
    this.#rpc.block.page({ terminalId: terminal.id, limit: 1 }).then(
      ({ blocks }) => {
        const last = blocks.at(-1) ?? null;
        terminal.lastBlock = last;
        const hasEnded = last !== null && last.id === endedId && last.endedMs !== null;
        const isShown = this.isShown(terminal.id);
        if (hasEnded) this.onEnded(terminal, last);
        if (hasEnded && this.#isNews(last, isShown)) terminal.news = headline(last.cmd) ?? strings.tabs.aCommand;
      },
      () => {
        // Only the tab's look depends on it, and the next change requests it again; a lost connection is shown elsewhere.
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
    this.#leaving.get(id)?.(); // the core still saves the last output, which may take a while
  }

  /** Removes terminals that moved to another window from the panes here. */
  #leaveMoved(): void {
    for (const id of this.#byId.keys()) if (!this.windows.isHere(id)) this.panes.takeOut(id);
    this.#keepOneActive();
  }

  #returnToAwaited(): void {
    const id = this.awaited;
    if (id === null || !this.#byId.has(id) || !this.windows.isHere(id)) return;
    // Its tab is shown even if the layout could not be saved.
    this.activate(id).catch(() => undefined);
  }

  #keepOneActive(): void {
    if (!this.isKnown) return; // the windows may arrive before the terminals
    if (this.active && this.windows.isHere(this.active.id)) return;
    const ids = this.list.map(({ id }) => id);
    this.activeId = (this.activeId !== null && this.panes.besideAwaited(this.activeId, ids)) || (ids[0] ?? null);
  }
}

function waits(view: TerminalView): boolean {
  const agent = agentOf(view);
  return agent !== null && isWaiting(agent.state);
}
