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
    if (leavesOf(tree).includes(id)) return this.#replace(tree, movePane(tree, id, to));
    this.#drop(id);
    this.#replace(tree, splitPane(tree, to, id));
  }

  /** Moves the pane into a tab of its own. */
  takeOut(id: string): void {
    if (this.#zoomedId === id) this.#zoomedId = null;
    if (this.#drop(id)) this.#save();
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

  /** Terminals that there are no more leave their panes. */
  keepOnly(ids: readonly string[]): void {
    const known = new Set(ids);
    this.#trees = this.#trees.flatMap((saved) => {
      const tree = normalise(saved, known);
      return tree?.kind === 'split' ? [tree] : [];
    });
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
    const rest = closePane(tree, id);
    this.#trees = this.#trees.flatMap((other) => {
      if (other !== tree) return [other];
      return rest?.kind === 'split' ? [rest] : [];
    });
    return true;
  }

  #save(): void {
    clearTimeout(this.#saving);
    // A lost connection is shown elsewhere, and the next change saves everything.
    this.#rpc.setPanes({ panes: [...this.#trees] }).catch(() => undefined);
  }
}
