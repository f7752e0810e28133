import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Block } from '../../../src-main/contract/block.ts';
import type { CoreConnection } from '../../../src-main/hosts/web/connectCore.ts';
import { finished, type Ran } from '../../cli/runCli.ts';
import { runIn } from '../../mcp/runIn.ts';
import { connectTo } from '../../support/coreClient.ts';
import { CLI, ServedApp } from '../../support/WebApp.ts';
import { RunFolders } from '../drive/Place.ts';
import { Seat } from '../drive/Seat.ts';
import { ScriptedModel } from '../scriptedModel/ScriptedModel.ts';
import { BUILD } from './brokenBuild.ts';
import type { McpAgent } from './McpAgent.ts';
import { remoteTerminal } from './remoteTerminal.ts';

const SIZE = { cols: 100, rows: 30 };
/** A policy under which the agents may run commands, each after an approval. */
const policyOf = (agents: readonly McpAgent[]) => ({
  clients: Object.fromEntries(agents.map(({ client }) => [client, { scopes: ['exec'] }])),
  exec: { default: 'ask' },
  input: { typing_hold_ms: 1000 },
});

/** A person's machine: the served app, a HOME with agents set up by the real command line, and their scripted model. */
export class Bed {
  readonly app: ServedApp;
  readonly link: CoreConnection;
  readonly model: ScriptedModel;
  readonly #folders: RunFolders;
  readonly #env: Record<string, string>;

  private constructor(parts: {
    app: ServedApp;
    model: ScriptedModel;
    folders: RunFolders;
    env: Record<string, string>;
  }) {
    this.app = parts.app;
    this.link = connectTo(parts.app.home);
    this.model = parts.model;
    this.#folders = parts.folders;
    this.#env = parts.env;
  }

  static async start(agents: readonly McpAgent[]): Promise<Bed> {
    const rigs = agents.map(({ rig }) => rig);
    const folders = new RunFolders();
    const model = await ScriptedModel.start(
      rigs.map(({ protocol }) => protocol),
      (use) => {
        throw new Error(`these models call tools of servers alone, not ${use.does}`);
      },
    );
    folders.seed(rigs, model.url);
    const env = folders.env(rigs, model.url);
    const app = new ServedApp({ env });
    writeFileSync(join(app.home, 'policy.json'), JSON.stringify(policyOf(agents)), { mode: 0o600 });
    try {
      await app.start();
      return new Bed({ app, model, folders, env });
    } catch (error) {
      await Promise.all([app.dispose(), model.stop()]);
      folders.remove();
      throw error;
    }
  }

  get api(): CoreConnection['api'] {
    return this.link.api;
  }

  get project(): string {
    return this.#folders.project;
  }

  /** Runs `hansard …` as the person. */
  hansard(...args: string[]): Promise<Ran> {
    const env = { ...this.#env, HANSARD_HOME: this.app.home };
    return finished(spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  /** Opens a terminal in the project's folder, with a person at it. */
  async open(): Promise<{ id: string; seat: Seat }> {
    const { id } = await this.api.terminal.open.mutate({ shell: '/bin/bash', cwd: this.project, ...SIZE });
    return { id, seat: new Seat(remoteTerminal(this.api, id)) };
  }

  async close(id: string): Promise<void> {
    await this.api.terminal.close.mutate({ id, force: true });
  }

  /** Opens a terminal in which the person's build fails. */
  async failedBuild(): Promise<{ id: string; block: Block }> {
    this.#folders.write(BUILD.files);
    const { id } = await this.open();
    return { id, block: await runIn(this.api, id, BUILD.command) };
  }

  async blocks(terminalId: string): Promise<Block[]> {
    return (await this.api.block.page.query({ terminalId, limit: 50 })).blocks;
  }

  read(path: string): string {
    return readFileSync(join(this.project, path), 'utf8');
  }

  /** Runs a program outside all terminals, and kills it when `signal` aborts. */
  run([program, ...args]: readonly [string, ...string[]], signal: AbortSignal): Promise<Ran> {
    const cwd = this.project;
    const child = spawn(program, args, { cwd, env: this.#env, stdio: ['ignore', 'pipe', 'pipe'], signal });
    child.on('error', () => undefined); // `finished` reports a kill
    return finished(child);
  }

  async dispose(): Promise<void> {
    this.link.dispose();
    await this.app.dispose();
    await this.model.stop();
    this.#folders.remove();
  }
}
