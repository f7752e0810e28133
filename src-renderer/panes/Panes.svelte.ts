import type { PaneTree } from '../../src-main/contract/panes.ts';
import type { Rpc } from '../rpc/Rpc.ts';
import {
  closePane,
  leaf,
  leavesOf,
  moveEdge,
  movePane,
  normalise,
  paneBeside,
  type Side,
  shapeOf,
  splitPane,
  withSizes,
} from './paneTree.ts';

/** What a press of a key moves an edge by, in percent of the split. */
const STEP = 5;
/** A drag of an edge is saved when it pauses. */
const SAVE_AFTER_MS = 200;

/** The splits of the tabs. A terminal outside of every tree has its own tab. */
export class Panes {
  readonly #rpc: Pick<Rpc['workspace'], 'setPanes'>;
  /** Tabs of two or more panes. */
  #trees = $state.raw<readonly PaneTree[]>([]);
  /** Tabs that miss panes whose terminals may still come, with these panes; `#trees` has them without. */
  #awaited: readonly PaneTree[] = [];
  /** The terminal whose pane has the whole tab for now. */
  #zoomedId = $state<string | null>(null);
  #saving: ReturnType<typeof setTimeout> | undefined;

  constructor(rpc: Pick<Rpc['workspace'], 'setPanes'>, saved: readonly PaneTree[]) {
    this.#rpc = rpc;
    this.#trees = saved;
  }

  /** The tab that a terminal is in. */
  treeOf(id: string): PaneTree {
    return this.#trees.find((tree) => leavesOf(tree).includes(id)) ?? leaf(id);
  }

  /** The tree that is drawn while that terminal's pane has the focus. */
  shownWith(id: string): PaneTree {
    return this.#zoomedId === id ? leaf(id) : this.treeOf(id);
  }

  isSplit(id: string): boolean {
    return this.treeOf(id).kind === 'split';
  }

  isZoomed(id: string): boolean {
    return this.#zoomedId === id;
  }

  toggleZoom(id: string): void {
    this.#zoomedId = this.#zoomedId === id || !this.isSplit(id) ? null : id;
  }

  /** The focus goes to that pane; a zoomed one beside it gives the room back. */
  focused(id: string): void {
    if (this.#zoomedId !== null && this.#zoomedId !== id && leavesOf(this.treeOf(id)).includes(this.#zoomedId))
      this.#zoomedId = null;
  }

  beside(id: string, side: Side): string | undefined {
    return paneBeside(this.treeOf(id), id, side);
  }

  /** The pane that has the focus after this one is closed. */
  heirOf(id: string): string | undefined {
    return (['left', 'up', 'right', 'down'] as const)
      .map((side) => this.beside(id, side))
      .find((other) => other !== undefined);
  }

  /** Puts a terminal beside the pane of another one, out of whichever tab it was in. */
  put(id: string, to: { at: string; side: Side }): void {
    if (id === to.at) return;
    this.#zoomedId = null;
    const tree = this.treeOf(to.at);
    this.#changeAwaited((awaited) => {
      const ids = leavesOf(awaited);
      if (!ids.includes(to.at)) return closePane(awaited, id);
      return ids.includes(id) ? movePane(awaited, id, to) : splitPane(awaited, to, id);
    });
    if (leavesOf(tree).includes(id)) return this.#replace(tree, movePane(tree, id, to));
    this.#drop(id);
    this.#replace(tree, splitPane(tree, to, id));
  }

  /** Moves the pane into a tab of its own. */
  takeOut(id: string): void {
    if (this.#zoomedId === id) this.#zoomedId = null;
    const wasAwaited = this.#changeAwaited((tree) => closePane(tree, id));
    if (this.#drop(id) || wasAwaited) this.#save();
  }

  moveEdge(id: string, side: Side): void {
    const tree = this.treeOf(id);
    this.#replace(tree, moveEdge(tree, id, { side, by: STEP }));
  }

  /** The shares of the split at `path` of the tab that this terminal is in, as a handle was dragged. */
  setSizes(id: string, path: readonly number[], sizes: readonly number[]): void {
    const tree = this.treeOf(id);
    this.#trees = this.#trees.map((other) => (other === tree ? withSizes(tree, path, sizes) : other));
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => this.#save(), SAVE_AFTER_MS);
  }

  /** Terminals that there are no more leave their panes. The panes of those that are awaited are shown once their terminals are known. */
  keepOnly(ids: readonly string[], isAwaited: (id: string) => boolean = () => false): void {
    const all = this.#all;
    const missing = all.flatMap(leavesOf).filter((id) => !ids.includes(id) && isAwaited(id));
    const kept = (trees: readonly PaneTree[], known: Set<string>) =>
      trees.flatMap((tree) => splits(normalise(tree, known)));
    const isIncomplete = (tree: PaneTree) => leavesOf(tree).some((id) => missing.includes(id));
    this.#awaited = kept(all.filter(isIncomplete), new Set([...ids, ...missing]));
    this.#trees = kept(all, new Set(ids));
  }

  /** A terminal of `ids` that shares its tab with one that is awaited. */
  besideAwaited(id: string, ids: readonly string[]): string | undefined {
    const tree = this.#awaited.find((awaited) => leavesOf(awaited).includes(id));
    return tree && leavesOf(tree).find((other) => ids.includes(other));
  }

  /** All tabs of several panes, with the awaited ones. */
  get #all(): PaneTree[] {
    const awaited = new Set(this.#awaited.flatMap(leavesOf));
    return [...this.#awaited, ...this.#trees.filter((tree) => !leavesOf(tree).some((id) => awaited.has(id)))];
  }

  /** Returns whether a tab was changed. */
  #changeAwaited(change: (tree: PaneTree) => PaneTree | null): boolean {
    const before = this.#awaited;
    this.#awaited = before.flatMap((tree) => splits(change(tree)));
    return this.#awaited.map(shapeOf).join() !== before.map(shapeOf).join();
  }

  #replace(before: PaneTree, after: PaneTree): void {
    this.#trees = this.#trees.includes(before)
      ? this.#trees.map((tree) => (tree === before ? after : tree))
      : [...this.#trees, after];
    this.#save();
  }

  #drop(id: string): boolean {
    const tree = this.treeOf(id);
    if (tree.kind === 'leaf') return false;
    const rest = splits(closePane(tree, id));
    this.#trees = this.#trees.flatMap((other) => (other === tree ? rest : [other]));
    return true;
  }

  #save(): void {
    clearTimeout(this.#saving);
    // A lost connection is shown elsewhere, and the next change saves everything.
    this.#rpc.setPanes({ panes: this.#all }).catch(() => undefined);
  }
}

/** A tree of one pane is not kept: it is the tab of its terminal. */
function splits(tree: PaneTree | null): PaneTree[] {
  return tree?.kind === 'split' ? [tree] : [];
}
