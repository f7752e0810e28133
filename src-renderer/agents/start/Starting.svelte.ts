import type { KnownAgent, StartAgent } from '../../../src-main/contract/startAgent.ts';
import type { RepositoryChoices } from '../../../src-main/contract/worktrees.ts';

/** The values with which the form opens. A second agent gets the prompt of the first one and a pane beside it. */
export interface StartWith {
  readonly cwd: string;
  /** Key of the machine; absent for this one. */
  readonly machine?: string;
  readonly prompt?: string;
  /** The agent that already has the prompt. The form proposes another one. */
  readonly notName?: string;
  /** The new terminal opens beside this one. */
  readonly beside?: string;
}

/** The form that starts an agent. */
export class Starting {
  isOpen = $state(false);
  with = $state.raw<StartWith>({ cwd: '' });
  known = $state.raw<readonly KnownAgent[]>([]);
  /** Branches and work trees around `cwd`; null until they are read. */
  repository = $state.raw<RepositoryChoices | null>(null);
  name = $state('');
  cwd = $state('');
  /** Key of the machine; '' for this one. */
  machine = $state('');
  prompt = $state('');
  model = $state('');
  hasWorktree = $state(false);
  branch = $state('');
  from = $state('');
  isStarting = $state(false);
  /** Why the agent was not started. */
  problem = $state('');

  readonly agent = $derived(this.known.find(({ name }) => name === this.name));
  readonly canStart = $derived(
    !this.isStarting && this.agent?.isInstalled === true && this.cwd.trim() !== '' && this.#isPlaced,
  );

  open(start: StartWith): void {
    this.with = start;
    this.cwd = start.cwd;
    this.machine = start.machine ?? '';
    this.prompt = start.prompt ?? '';
    this.problem = '';
    this.hasWorktree = start.beside !== undefined;
    this.branch = '';
    this.repository = null;
    if (this.name === start.notName) this.name = '';
    this.isOpen = true;
  }

  close(): void {
    this.isOpen = false;
  }

  knows(known: readonly KnownAgent[]): void {
    this.known = known;
    const first = known.find(({ name, isInstalled }) => isInstalled && name !== this.with.notName);
    if (this.name === '') this.name = (first ?? known[0])?.name ?? '';
  }

  /** Sets the branches and work trees of the folder, and proposes an unused branch name. */
  reads(repository: RepositoryChoices): void {
    this.repository = repository;
    if (!repository.ok) return;
    const { branches, current } = repository;
    this.from = current ?? branches[0] ?? '';
    if (this.branch === '') this.branch = freeName(branches, this.name);
  }

  /** The machine as an input names it. */
  get onMachine(): { machine?: string } {
    return this.machine === '' ? {} : { machine: this.machine };
  }

  get request(): StartAgent & { machine?: string } {
    const model = this.model.trim();
    const prompt = this.prompt.trim();
    return {
      ...this.onMachine,
      name: this.name,
      cwd: this.cwd.trim(),
      ...(prompt && { prompt }),
      ...(model && this.agent?.takesModel && { model }),
      ...(this.#wantsWorktree && { worktree: { branch: this.branch.trim(), from: this.from } }),
    };
  }

  get #wantsWorktree(): boolean {
    return this.hasWorktree && this.repository?.ok === true;
  }

  get #isPlaced(): boolean {
    return !this.#wantsWorktree || (this.branch.trim() !== '' && this.from !== '');
  }
}

function freeName(branches: readonly string[], agent: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${agent || 'agent'}-${number}`;
    if (!branches.includes(name)) return name;
  }
}
