import type { TerminalChange } from '../contract/api.ts';
import type { ProjectsView } from '../contract/project.ts';
import type { TerminalView } from '../contract/terminal.ts';
import { findWorkTree } from '../store/record/gitBranch.ts';
import type { Clock } from '../util/Clock.ts';
import { Disposables } from '../util/Disposables.ts';
import { Emitter, type Event } from '../util/Emitter.ts';
import { follow } from '../util/follow.ts';
import { detach } from '../util/strayErrors.ts';
import { listeningPorts } from './listeningPorts.ts';
import { PortWatch } from './PortWatch.ts';
import { Repositories } from './Repositories.ts';
import { type Env, plainFolder, readProject } from './readProject.ts';

export interface ProjectsSpec {
  readonly clock: Clock;
  readonly env: Env;
  readonly terminals: {
    readonly onChange: Event<TerminalChange>;
    readonly all: readonly OpenTerminal[];
    find(id: string): OpenTerminal | undefined;
  };
}

/** `pid` is the shell's process id, null when no shell runs. */
interface OpenTerminal {
  readonly view: TerminalView;
  readonly pid: number | null;
}

interface Place {
  cwd: string;
  root: string;
  runningBlockId: string | null;
}

/** Projects and listening ports of the open terminals. Works only while a window follows. */
export class Projects {
  readonly #spec: ProjectsSpec;
  readonly #places = new Map<string, Place>();
  readonly #changed = new Emitter<ProjectsView>();
  readonly #repositories: Repositories;
  readonly #ports: PortWatch;
  #followers = 0;
  #work = new Disposables();

  constructor(spec: ProjectsSpec) {
    this.#spec = spec;
    const { clock, env, terminals } = spec;
    const pid = (id: string) => terminals.find(id)?.pid ?? null;
    const onChange = () => this.#changed.fire(this.view);
    this.#repositories = new Repositories({ clock, onChange, read: (tree) => readProject(tree, env) });
    this.#ports = new PortWatch({ clock, pid, onChange, read: listeningPorts });
  }

  get view(): ProjectsView {
    const rootOf = Object.fromEntries([...this.#places].map(([id, { root }]) => [id, root]));
    const roots = [...new Set(Object.values(rootOf))];
    return {
      projects: roots.map((root) => this.#repositories.get(root) ?? plainFolder(root)),
      rootOf,
      portsOf: this.#ports.ports,
    };
  }

  async *follow(signal?: AbortSignal): AsyncGenerator<ProjectsView> {
    this.#followers += 1;
    if (this.#followers === 1) this.#begin();
    try {
      yield* follow(this.#changed.on, () => [this.view], signal);
    } finally {
      this.#followers -= 1;
      if (this.#followers === 0) this.#end();
    }
  }

  /** A window got the focus: what another program did to the folders meanwhile is read. */
  refresh(): void {
    if (this.#followers === 0) return;
    for (const { view } of this.#spec.terminals.all) detach('Projects', this.#locate(view));
  }

  #begin(): void {
    this.#work = new Disposables();
    this.#work.add(this.#spec.terminals.onChange((change) => this.#see(change)));
    for (const { view } of this.#spec.terminals.all) this.#see({ type: 'changed', terminal: view });
  }

  #end(): void {
    this.#work.dispose();
    this.#repositories.dispose();
    this.#ports.dispose();
    this.#places.clear();
  }

  #see(change: TerminalChange): void {
    if (change.type === 'all') for (const terminal of change.terminals) this.#see({ type: 'changed', terminal });
    if (change.type === 'removed') this.#forget(change.id);
    if (change.type !== 'changed') return;
    const { terminal } = change;
    this.#ports.see(terminal);
    const known = this.#places.get(terminal.id);
    const hasEnded = known !== undefined && known.runningBlockId !== null && terminal.runningBlockId === null;
    if (known) known.runningBlockId = terminal.runningBlockId;
    if (known?.cwd !== terminal.cwd || hasEnded) detach('Projects', this.#locate(terminal));
  }

  #forget(id: string): void {
    this.#ports.forget(id);
    if (this.#places.delete(id)) this.#tidy();
  }

  async #locate({ id, cwd, runningBlockId }: TerminalView): Promise<void> {
    const before = this.#places.get(id);
    this.#places.set(id, { cwd, root: before?.root ?? cwd, runningBlockId });
    const place = this.#places.get(id);
    const tree = await findWorkTree(cwd);
    if (!place || this.#places.get(id) !== place) return; // the folder changed meanwhile, or no window follows any more
    const root = tree?.root ?? cwd;
    if (tree) this.#repositories.look(tree);
    if (before?.root === root) return;
    place.root = root;
    this.#tidy();
  }

  #tidy(): void {
    this.#repositories.keep(new Set([...this.#places.values()].map(({ root }) => root)));
    this.#changed.fire(this.view);
  }
}
