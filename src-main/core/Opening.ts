import { realpath } from 'node:fs/promises';
import type { AgentChoice, OpenPlaceVerdict } from '../contract/api.ts';
import type { KnownAgent, StartAgent, StartVerdict } from '../contract/startAgent.ts';
import type { TerminalView } from '../contract/terminal.ts';
import type { RemovalVerdict, RepositoryChoices, WorktreeRemoval } from '../contract/worktrees.ts';
import { EXTRACTORS } from '../conversations/extraction/extractors/agents/all.ts';
import { runAtPrompt } from '../mcp/exec/runAtPrompt.ts';
import type { PtyInstance } from '../terminal/PtyInstance.ts';
import type { Clock } from '../util/Clock.ts';
import type { KeyedQueue } from '../util/KeyedQueue.ts';
import { detach } from '../util/strayErrors.ts';
import { readRepository, removeWorktree } from '../worktrees/worktrees.ts';
import { agentChoices } from './agentChoices.ts';
import { openOutputInEditor } from './editor.ts';
import { PlaceOpener } from './PlaceOpener.ts';
import { knownAgents, startAgent } from './startAgent.ts';
import type { NewTerminal, TerminalRegistry } from './TerminalRegistry.ts';
import { untilPrompt } from './untilPrompt.ts';

export interface OpeningDeps {
  /** With the PATH of the person's login shell, where editors and agents are found. */
  env(): Promise<Readonly<Record<string, string | undefined>>>;
  home: string;
  clock: Clock;
  /** Setting `editor.command`. */
  editor(): string;
  open(spec: NewTerminal): Promise<TerminalView>;
  /** Sends a first prompt once the agent of that terminal takes input. */
  prompt(terminalId: string, text: string): Promise<void>;
  readonly terminals: Pick<TerminalRegistry, 'find' | 'get'>;
  readonly clients: { readonly turns: KeyedQueue };
  randomId(bytes: number): string;
  /** Folders in which a shell or a program of an open terminal is. */
  folders(): readonly string[];
}

/** A command for an open terminal, and the folder in which alone it may run. */
export interface CommandInPlace {
  readonly cmd: string;
  readonly cwd: string;
  returning(): void;
}

/** Size of a tab in which an editor opens a file that no terminal named. */
const FILE_TAB = { cols: 120, rows: 40 };

/** Opens things in the person's programs: outputs and file locations in the editor, agents in a tab. */
export class Opening {
  readonly #deps: OpeningDeps;

  constructor(deps: OpeningDeps) {
    this.#deps = deps;
  }

  async inEditor(terminalId: string, blockId: string): Promise<{ opened: boolean; text: string }> {
    const path = await this.#deps.terminals.get(terminalId).book.reader.outputFile(blockId);
    return openOutputInEditor(path, await this.#deps.env());
  }

  /** Opens a `path:line` place that a block's output names. */
  async place(spec: { terminalId: string; blockId: string; place: string }): Promise<OpenPlaceVerdict> {
    const { book, view } = this.#deps.terminals.get(spec.terminalId);
    const block = await book.get(spec.blockId);
    return new PlaceOpener(this.#deps).open(spec.place, block?.cwd ?? view.cwd, view);
  }

  /** Opens a file in the person's editor. */
  file(path: string): Promise<OpenPlaceVerdict> {
    return new PlaceOpener(this.#deps).open(`${path}:1:1`, null, { cwd: '/', ...FILE_TAB });
  }

  /** The installed agents; searches PATH at each call. */
  async agents(): Promise<AgentChoice[]> {
    return agentChoices(EXTRACTORS, (await this.#deps.env()).PATH ?? '');
  }

  /**
   * Opens a terminal and starts an agent in it: types its command into the shell as the person would, so it gets a card. Resolves when the terminal
   * is open. Throws if the agent is not installed.
   */
  async agent({ name, ...spec }: NewTerminal & { name: string }): Promise<TerminalView> {
    return this.#run(spec, (await this.#installed(name)).command);
  }

  /** Opens a terminal with another command line of the agent, for example one that continues a conversation. */
  async agentCommand({
    name,
    command,
    ...spec
  }: NewTerminal & { name: string; command: string }): Promise<TerminalView> {
    await this.#installed(name);
    return this.#run(spec, command);
  }

  /**
   * Runs a command in an open terminal whose shell is at an empty prompt in `cwd`, or will be soon. Throws an error with a text for people if it did
   * not run. `returning` is called right before Return.
   */
  async runIn(terminalId: string, { cmd, cwd, returning }: CommandInPlace): Promise<void> {
    const terminal = this.#deps.terminals.find(terminalId);
    if (!terminal) throw new Error('The terminal was closed');
    if (terminal.book.runningId === null) await untilPrompt(terminal, this.#deps.clock);
    const said = terminal.view.cwd;
    if (!(await isSameFolder(said, cwd)))
      throw new Error(`This terminal is in ${said}, and the conversation began in ${cwd}. Go there with cd first`);
    const line = { cmd, returning, isStillAllowed: () => terminal.view.cwd === said };
    await runAtPrompt(terminal, line, { ...this.#deps, turns: this.#deps.clients.turns });
  }

  async #installed(name: string): Promise<AgentChoice> {
    const installed = await this.agents();
    const choice = installed.find((one) => one.name === name);
    if (choice) return choice;
    const known = installed.map(({ label }) => label).join(', ') || 'none';
    throw new Error(`No agent "${name}" on the PATH of your login shell (found: ${known})`);
  }

  /** Lists every agent that Hansard knows, and how to install the missing ones. */
  async knownAgents(): Promise<KnownAgent[]> {
    return knownAgents(await this.#deps.env());
  }

  /** Starts an agent in a folder or a new work tree, with its first prompt. */
  start(spec: StartAgent, place: Omit<NewTerminal, 'cwd'>): Promise<StartVerdict> {
    const { env, prompt } = this.#deps;
    return startAgent({ env, prompt, run: (where, command) => this.#run(where, command) }, spec, place);
  }

  async repository(cwd: string): Promise<RepositoryChoices> {
    return readRepository(cwd, await this.#deps.env());
  }

  /** Removes a work tree in which no terminal is open. */
  async removeWorktree(removal: WorktreeRemoval): Promise<RemovalVerdict> {
    const { path } = removal;
    const open = await Promise.all(this.#deps.folders().map((cwd) => realpath(cwd).catch(() => cwd))); // shells report unresolved paths
    if (open.some((cwd) => cwd === path || cwd.startsWith(`${path}/`)))
      return { ok: false, reason: 'open', detail: path };
    return removeWorktree(removal, await this.#deps.env());
  }

  async #run(spec: NewTerminal, command: string): Promise<TerminalView> {
    const view = await this.#deps.open(spec);
    detach('Opening', this.#start(this.#deps.terminals.get(view.id), command));
    return view;
  }

  async #start(terminal: PtyInstance, command: string): Promise<void> {
    await untilPrompt(terminal, this.#deps.clock);
    await terminal.submit(command);
  }
}

/** Shells report paths with links, and the kernel paths without. */
async function isSameFolder(a: string, b: string): Promise<boolean> {
  if (a === b) return true;
  const [one, other] = await Promise.all([a, b].map((path) => realpath(path).catch(() => path)));
  return one === other;
}
