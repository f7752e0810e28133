import type { Project } from '../contract/project.ts';
import type { WorkTree } from '../store/record/gitBranch.ts';
import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { SerialQueue } from '../util/SerialQueue.ts';
import { detach } from '../util/strayErrors.ts';
import { RepositoryWatch } from './RepositoryWatch.ts';
import { plainFolder } from './readProject.ts';

/** Git writes several files for one change. */
const SETTLE_MS = 250;
/** A disk that does not answer by then keeps the other repositories waiting no longer. */
const LIMIT_MS = 5_000;
/** Of the time that passes, at most this part is spent on one repository. */
const SHARE = 0.1;

interface Known {
  project: Project;
  tree: WorkTree;
  watch: RepositoryWatch;
  timer: IDisposable | null;
  /** Not before: on the monotonic clock. */
  restUntilMs: number;
  isReading: boolean;
}

export interface RepositoriesSpec {
  readonly clock: Clock;
  readonly read: (tree: WorkTree) => Promise<Project>;
  readonly onChange: () => void;
}

/** The repositories that are looked at, each read again when it has changed, one at a time. */
export class Repositories implements IDisposable {
  readonly #spec: RepositoriesSpec;
  readonly #known = new Map<string, Known>();
  readonly #reading = new SerialQueue();

  constructor(spec: RepositoriesSpec) {
    this.#spec = spec;
  }

  get(root: string): Project | undefined {
    return this.#known.get(root)?.project;
  }

  /** Reads the repository soon, and once for all who ask until then. */
  look(tree: WorkTree): void {
    const known = this.#known.get(tree.root) ?? this.#add(tree);
    const restMs = known.restUntilMs - this.#spec.clock.monotonicMs();
    known.timer ??= this.#spec.clock.after(Math.max(SETTLE_MS, restMs), () => {
      known.timer = null;
      if (known.isReading) this.look(tree);
      else
        detach(
          'Repositories',
          this.#reading.run(() => this.#read(known)),
        );
    });
  }

  /** Forgets all but these. */
  keep(roots: ReadonlySet<string>): void {
    for (const [root, known] of this.#known) if (!roots.has(root)) this.#remove(root, known);
  }

  dispose(): void {
    this.keep(new Set());
  }

  #add(tree: WorkTree): Known {
    const project: Project = { ...plainFolder(tree.root), isRepository: true };
    const watch = new RepositoryWatch(tree, () => this.look(tree));
    const known: Known = { project, tree, watch, timer: null, restUntilMs: 0, isReading: false };
    this.#known.set(tree.root, known);
    return known;
  }

  #remove(root: string, known: Known): void {
    known.timer?.dispose();
    known.watch.dispose();
    this.#known.delete(root);
  }

  async #read(known: Known): Promise<void> {
    const { clock, read } = this.#spec;
    if (this.#known.get(known.project.root) !== known) return;
    const beganMs = clock.monotonicMs();
    known.isReading = true;
    known.watch.refresh();
    const reading = read(known.tree).finally(() => {
      known.isReading = false;
    });
    const project = await within(clock, reading, {
      ...known.project,
      ahead: null,
      behind: null,
      dirty: null,
      unknown: 'slow',
    });
    const endedMs = clock.monotonicMs();
    known.restUntilMs = endedMs + (endedMs - beganMs) / SHARE;
    if (this.#known.get(known.project.root) !== known) return;
    if (JSON.stringify(project) === JSON.stringify(known.project)) return;
    known.project = project;
    this.#spec.onChange();
  }
}

/** What the promise brings, or `late` when it brings nothing in time. */
function within<T>(clock: Clock, promise: Promise<T>, late: T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(LIMIT_MS, () => resolve(late));
    promise.then(resolve, reject).finally(() => timer.dispose());
  });
}
