import type { AgentChoice, Workspace } from '../../src-main/contract/api.ts';
import type { Project, ProjectLook, ProjectsView } from '../../src-main/contract/project.ts';
import type { Settings } from '../../src-main/contract/settings.ts';
import { type Group, groupTerminals } from '../../src-main/shared/groupTerminals.ts';
import type { Rpc, Stop } from '../rpc/Rpc.ts';
import type { TerminalState } from '../tabs/TerminalState.svelte.ts';
import { moved } from '../tabs/tabOrder.ts';

const USUAL: ProjectLook = { name: null, color: null, isCollapsed: false };

/** The projects of the open terminals, what the person chose for them, and the ports of the terminals. */
export class Projects {
  readonly #rpc: Rpc;
  readonly #settings: () => Settings;
  #view = $state.raw<ProjectsView>({ projects: [], rootOf: {}, portsOf: {} });
  #looks = $state.raw<Readonly<Record<string, ProjectLook>>>({});
  #order = $state.raw<readonly string[]>([]);
  readonly #byRoot = $derived(new Map(this.#view.projects.map((project) => [project.root, project])));
  /** Agents that can be started here: read when the window starts and when it gets the focus. */
  agents = $state.raw<readonly AgentChoice[]>([]);
  /** Root of the project whose name is being edited. */
  renaming = $state<string | null>(null);

  constructor(rpc: Rpc, workspace: Workspace, settings: () => Settings) {
    this.#rpc = rpc;
    this.#settings = settings;
    this.#looks = workspace.projects;
    this.#order = workspace.projectOrder;
  }

  /** Follows while the window can be seen: the core looks at folders for no other reason. */
  start(): Stop {
    if (typeof document === 'undefined') return () => undefined;
    let stop: Stop | null = null;
    const follow = () => {
      if (document.visibilityState === 'hidden') {
        stop?.();
        stop = null;
      } else
        stop ??= this.#rpc.project.onChange((view) => {
          this.#view = view;
        });
    };
    const refresh = () => {
      // without a connection nothing is asked
      void this.#rpc.project.refresh().catch(() => undefined);
      void this.#findAgents();
    };
    follow();
    void this.#findAgents();
    document.addEventListener('visibilitychange', follow);
    window.addEventListener('focus', refresh);
    return () => {
      stop?.();
      document.removeEventListener('visibilitychange', follow);
      window.removeEventListener('focus', refresh);
    };
  }

  async #findAgents(): Promise<void> {
    this.agents = await this.#rpc.agent.list().catch(() => this.agents);
  }

  get isGrouped(): boolean {
    const settings = this.#settings();
    return settings.tabs === 'side' && settings['tabs.groups'];
  }

  group(list: TerminalState[]): Group<TerminalState>[] {
    return this.isGrouped ? groupTerminals(list, this.#view.rootOf, this.#order) : [{ root: '', terminals: list }];
  }

  project(root: string): Project | undefined {
    return this.#byRoot.get(root);
  }

  look(root: string): ProjectLook {
    return this.#looks[root] ?? USUAL;
  }

  rootOf(terminalId: string): string | null {
    return this.#view.rootOf[terminalId] ?? null;
  }

  ports(terminalId: string): readonly number[] {
    return this.#view.portsOf[terminalId] ?? [];
  }

  async change(root: string, change: Partial<ProjectLook>): Promise<void> {
    const look = { ...this.look(root), ...change };
    this.#looks = { ...this.#looks, [root]: look };
    await this.#rpc.workspace.setProject({ root, ...look });
  }

  /** Puts a project at a place among `shown`. */
  async move(root: string, to: number, shown: readonly string[]): Promise<void> {
    const roots = moved(shown, root, to);
    this.#order = [...roots, ...this.#order.filter((other) => !roots.includes(other))];
    await this.#rpc.workspace.setProjectOrder({ roots: [...this.#order] });
  }
}
