import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SnapshotFault, SnapshotTaken } from '../contract/changes.ts';
import { ensurePrivateFolder } from '../store/instance/dataFolder.ts';
import { findWorkTree, type WorkTree } from '../store/record/gitBranch.ts';
import { KeyedQueue } from '../util/KeyedQueue.ts';
import { SNAPSHOT_LIMITS, type SnapshotLimits } from './Candidates.ts';
import type { Env } from './git.ts';
import { ForeignRepository, Shadow } from './Shadow.ts';
import { takeSnapshot } from './takeSnapshot.ts';
import { faultOf, takeTree } from './takeTree.ts';

export interface Repository {
  readonly root: string;
  readonly common: string;
}

export interface SnapshotResult {
  readonly repository: Repository | null;
  readonly taken: SnapshotTaken | null;
  readonly fault: SnapshotFault | null;
}

export interface SnapshotsSpec {
  readonly dataFolder: string;
  readonly env: Env;
  readonly limits?: SnapshotLimits;
}

/** At most this many snapshots wait for one repository. If it is slower than its agents, later snapshots fail with a fault. */
const MAX_WAITING = 8;
/** A reading of the work tree is reused for this time while a window shows a turn in progress. */
const FRESH_MS = 2_000;
const DAY_MS = 24 * 3600_000;
/** An unused index is removed after this time, because it can be created again. */
const KEPT_DAYS = 14;

/** Takes snapshots of work trees, one at a time for each work tree. It keeps its own index of each in `snapshots` of the data folder. */
export class Snapshots {
  readonly #spec: SnapshotsSpec;
  readonly #queue = new KeyedQueue();
  readonly #waiting = new Map<string, number>();
  readonly #now = new Map<string, { atMs: number; tree: Promise<SnapshotTaken> }>();
  readonly #ended = new AbortController();

  constructor(spec: SnapshotsSpec) {
    this.#spec = spec;
  }

  /** Never rejects. If no snapshot can be taken, `fault` says why. */
  async take(
    cwd: string,
    wish: { conversationId: string; n: number; before: SnapshotTaken | null; also?: readonly string[] },
  ): Promise<SnapshotResult> {
    return this.#with(cwd, (shadow) => takeSnapshot(shadow, { ...wish, limits: this.#limits }));
  }

  /** Reads the work tree into the index, so that the first snapshot is fast. */
  async warm(cwd: string): Promise<void> {
    await this.#with(cwd, async (shadow) => ({ ...(await this.#tree(shadow)), commit: '' }));
  }

  /** Takes the work tree as it is now, without a ref. Rejects with a `GitFault`, `TooLarge` or `ForeignRepository`. */
  now(repository: Repository): Promise<SnapshotTaken> {
    const known = this.#now.get(repository.root);
    if (known && performance.now() - known.atMs < FRESH_MS) return known.tree;
    const tree = this.#queue.run(repository.root, async () => {
      const taken = await this.#tree(await this.open(await this.#treeOf(repository)));
      return { ...taken, commit: taken.tree };
    });
    this.#now.set(repository.root, { atMs: performance.now(), tree });
    tree.catch(() => undefined).finally(() => this.#forget(repository.root, tree));
    return tree;
  }

  /** Opens a repository to read its snapshots. Rejects if the repository is gone. */
  async reader({ root, common }: Repository): Promise<Shadow> {
    return this.open({ root, gitFolder: common });
  }

  /** Removes the indexes of work trees that no agent used for two weeks. They can be created again. */
  async sweep(nowMs: number): Promise<void> {
    const folder = join(this.#spec.dataFolder, 'snapshots');
    for (const name of await readdir(folder).catch(() => [])) {
      const used = await stat(join(folder, name, 'index')).catch(() => stat(join(folder, name)).catch(() => null));
      if (used && nowMs - used.mtimeMs > KEPT_DAYS * DAY_MS)
        await rm(join(folder, name), { recursive: true, force: true });
    }
  }

  dispose(): void {
    this.#ended.abort();
    this.#now.clear();
  }

  get isEnded(): boolean {
    return this.#ended.signal.aborted;
  }

  get #limits(): SnapshotLimits {
    return this.#spec.limits ?? SNAPSHOT_LIMITS;
  }

  async #tree(shadow: Shadow): Promise<Omit<SnapshotTaken, 'commit'>> {
    const { tree, leftOut, ignored } = await takeTree(shadow, { limits: this.#limits });
    return { tree, leftOut: [...leftOut], ignored: [...ignored] };
  }

  #forget(root: string, tree: Promise<SnapshotTaken>): void {
    if (this.#now.size > 32 && this.#now.get(root)?.tree === tree) this.#now.delete(root);
  }

  async #treeOf({ root, common }: Repository): Promise<WorkTree> {
    const tree = await findWorkTree(root);
    return tree?.root === root ? tree : { root, gitFolder: common };
  }

  open(tree: WorkTree): Promise<Shadow> {
    const { dataFolder, env } = this.#spec;
    ensurePrivateFolder(join(dataFolder, 'snapshots'));
    return Shadow.open({ tree, folder: shadowFolder(dataFolder, tree.root), env, signal: this.#ended.signal });
  }

  async #with(cwd: string, use: (shadow: Shadow) => Promise<SnapshotTaken>): Promise<SnapshotResult> {
    const nothing = { repository: null, taken: null };
    const tree = await findWorkTree(cwd);
    if (!tree) return { ...nothing, fault: { why: 'outside', detail: cwd } };
    const { root } = tree;
    const waiting = this.#waiting.get(root) ?? 0;
    if (waiting >= MAX_WAITING) return { ...nothing, fault: { why: 'slow', detail: `${waiting} snapshots wait` } };
    this.#waiting.set(root, waiting + 1);
    try {
      return await this.#queue.run(root, async () => {
        const shadow = await this.open(tree);
        const repository = { root, common: shadow.common };
        this.#now.delete(root);
        return use(shadow).then(
          (taken) => ({ repository, taken, fault: null }),
          (error: unknown) => ({ repository, taken: null, fault: faultOf(error) }),
        );
      });
    } catch (error) {
      if (error instanceof ForeignRepository) return { ...nothing, fault: { why: 'foreign', detail: error.message } };
      return { ...nothing, fault: faultOf(error) };
    } finally {
      const left = (this.#waiting.get(root) ?? 1) - 1;
      if (left > 0) this.#waiting.set(root, left);
      else this.#waiting.delete(root);
    }
  }
}

/** Returns the folder with our index of the work tree. */
export function shadowFolder(dataFolder: string, root: string): string {
  return join(dataFolder, 'snapshots', createHash('sha256').update(root).digest('hex').slice(0, 20));
}
