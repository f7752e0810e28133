import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CoreConnection } from '../../../src-main/hosts/web/connectCore.ts';
import { runIn } from '../../mcp/runIn.ts';
import { RunFolders } from '../drive/Place.ts';
import { onScreen, Seat, still } from '../drive/Seat.ts';
import type { RigAgent } from '../launch/Agent.ts';
import { type Give, remoteTerminal } from '../mcp/remoteTerminal.ts';
import { ScriptedModel } from '../scriptedModel/ScriptedModel.ts';

const SIZE = { cols: 100, rows: 30 };
/** Limit for eight agents that start at once on two cores. */
const START_MS = 120_000;
/** The screen must be still for this long, so that the first question of some agents has appeared. */
const STILL_MS = 600;

/** A real agent in a terminal of a served core, with its own HOME and scripted model. */
export class AgentSeat {
  readonly agent: RigAgent;
  readonly model: ScriptedModel;
  /** The agent's working directory. */
  readonly project: string;
  readonly #folders: RunFolders;
  #api: CoreConnection['api'];
  #terminalId = '';
  #seat: Seat | null = null;

  private constructor(
    agent: RigAgent,
    parts: { model: ScriptedModel; folders: RunFolders; api: CoreConnection['api'] },
  ) {
    this.agent = agent;
    this.model = parts.model;
    this.#folders = parts.folders;
    this.#api = parts.api;
    this.project = parts.folders.project;
  }

  static async open(agent: RigAgent, api: CoreConnection['api'], project?: string): Promise<AgentSeat> {
    const folders = new RunFolders({}, project);
    const model = await ScriptedModel.start([agent.protocol], agent.nameTool);
    folders.seed([agent], model.url);
    return new AgentSeat(agent, { model, folders, api });
  }

  /** The agent's whole environment: its HOME, its keys, and nothing from the machine. */
  get env(): Record<string, string> {
    return this.#folders.env([this.agent], this.model.url);
  }

  get terminalId(): string {
    return this.#terminalId;
  }

  /** The person at the terminal. */
  get seat(): Seat {
    if (!this.#seat) throw new Error(`${this.agent.name} was not started`);
    return this.#seat;
  }

  /** Starts the agent in a new terminal (on the machine `far`, if given) of the core behind `api`. Resolves when the agent accepts a prompt. */
  async start(api: CoreConnection['api'] = this.#api, far?: { readonly key: string; give: Give }): Promise<void> {
    this.#api = api;
    const where = { shell: '/bin/bash', cwd: this.project, ...(far && { machine: far.key }) };
    const { id } = await api.terminal.open.mutate({ ...where, ...SIZE });
    this.#terminalId = id;
    this.#seat = new Seat(remoteTerminal(api, id, far && ((act) => far.give(act))));
    await runIn(api, id, `. ${this.#writeEnv()}`);
    const command = Object.values(this.agent.variants)[0]?.command ?? this.agent.name;
    const verdict = await api.terminal.submit.mutate({ id, text: command });
    if (!verdict.ok) throw new Error(`${command} was not started: ${verdict.reason}`);
    await this.#isReady();
  }

  /** Some agents load most of themselves at their first prompt: for OpenCode this takes 40 s where eight agents start on two cores. */
  async warmUp(): Promise<void> {
    const { model, seat, agent } = this;
    model.load({ prompt: 'say hello', replies: [{ text: 'Hello to you.', pace: 'burst' }] });
    seat.keys('say hello');
    await seat.sees([onScreen('say hello')], 'the prompt is in the input line');
    await seat.looks(STILL_MS); // Gemini CLI drops a Return that comes right after the text
    seat.keys('\r');
    await seat.sees([onScreen('Hello to you')], 'it answers its first prompt', START_MS);
    await seat.idle(agent, `${agent.name} is ready again`, START_MS);
  }

  /** Uses the same terminal through a new core. */
  returnTo(api: CoreConnection['api']): void {
    this.#api = api;
    this.#seat = new Seat(remoteTerminal(api, this.#terminalId));
  }

  /** A file of the project as text; '' if it does not exist. */
  read(name: string): string {
    const path = join(this.project, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  text(): Promise<string> {
    return this.seat.text();
  }

  async dispose(): Promise<void> {
    await this.model.stop();
    this.#folders.remove();
  }

  async #isReady(): Promise<void> {
    const { agent, seat } = this;
    const { asksFirst, ready } = agent;
    if (asksFirst) {
      await seat.sees([onScreen(`${ready}|${asksFirst.shows}`), still(STILL_MS)], 'it is ready or asks', START_MS);
      if (new RegExp(asksFirst.shows, 'm').test(await seat.text())) seat.keys(asksFirst.keys);
    }
    await seat.idle(agent, `${agent.name} is ready`, START_MS);
    await seat.looks(agent.loadsMs ?? 0);
  }

  /** Writes a file for a shell to source that sets all that the agent needs and nothing from the machine. */
  #writeEnv(): string {
    const lines = Object.entries(this.env)
      .filter(([name]) => name !== 'PS1')
      .map(([name, value]) => `export ${name}='${value}'`);
    const path = join(this.#folders.home, 'rig-env');
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  }
}

/** Makes a git repository with one commit, and a work tree of it on another branch. */
export function repositoryAt(folder: string): { readonly project: string; readonly worktree: string } {
  const project = join(folder, 'repository');
  const worktree = join(folder, 'worktree');
  if (existsSync(project)) return { project, worktree };
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'README.md'), '# A project\n');
  const git = (...args: string[]) => {
    const { status, stderr } = spawnSync('git', ['-c', 'user.name=rig', '-c', 'user.email=rig@localhost', ...args], {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: dirname(folder), GIT_CONFIG_NOSYSTEM: '1' },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  };
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Begin');
  git('worktree', 'add', '--quiet', '-b', 'side', worktree);
  return { project, worktree };
}
