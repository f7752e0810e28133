import type { KnownAgent, StartAgent } from '../../../src-main/contract/startAgent.ts';
import type { RepositoryChoices } from '../../../src-main/contract/worktrees.ts';

/** With what the form opens: an agent that is started again has the prompt of the first one, and a place beside it. */
export interface StartWith {
  readonly cwd: string;
  readonly prompt?: string;
  /** The agent that has the prompt already: another one is proposed. */
  readonly notName?: string;
  /** The terminal beside which the new one opens. */
  readonly beside?: string;
}

/** The form that starts an agent. */
export class Starting {
  isOpen = $state(false);
  with = $state.raw<StartWith>({ cwd: '' });
  known = $state.raw<readonly KnownAgent[]>([]);
  /** Of `cwd`; null until it was read. */
  repository = $state.raw<RepositoryChoices | null>(null);
  name = $state('');
  cwd = $state('');
  prompt = $state('');
  model = $state('');
  hasWorktree = $state(false);
  branch = $state('');
  from = $state('');
  isStarting = $state(false);
  /** Why it was not started. */
  problem = $state('');

  readonly agent = $derived(this.known.find(({ name }) => name === this.name));
  readonly canStart = $derived(
    !this.isStarting && this.agent?.isInstalled === true && this.cwd.trim() !== '' && this.#isPlaced,
  );

  open(start: StartWith): void {
    this.with = start;
    this.cwd = start.cwd;
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

  /** What was read of the folder; a branch of a name that is not taken is proposed. */
  reads(repository: RepositoryChoices): void {
    this.repository = repository;
    if (!repository.ok) return;
    const { branches, current } = repository;
    this.from = current ?? branches[0] ?? '';
    if (this.branch === '') this.branch = freeName(branches, this.name);
  }

  get request(): StartAgent {
    const model = this.model.trim();
    const prompt = this.prompt.trim();
    return {
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
