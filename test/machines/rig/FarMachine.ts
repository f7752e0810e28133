import { setTimeout as sleep } from 'node:timers/promises';
import type { MachineView } from '../../../src-main/contract/machines.ts';
import type { CoreConnection } from '../../../src-main/hosts/web/connectCore.ts';
import { withoutMachine } from '../../../src-main/shared/machineIds.ts';
import { runIn } from '../../mcp/runIn.ts';
import { BackgroundCore } from '../../support/BackgroundCore.ts';
import { connectTo } from '../../support/coreClient.ts';
import { SshClient } from './SshClient.ts';
import { type BadLine, type ProxyOptions, startProxy } from './startProxy.ts';
import { type Sshd, startSshd } from './startSshd.ts';

/** Time limit for a condition; a met condition ends the wait at once. */
const PATIENCE_MS = 120_000;
const LOOK_EVERY_MS = 20;
const SIZE = { cols: 80, rows: 24 };
const REFUSED = /is not connected, so nothing was sent/;

type FarOptions = Omit<ProxyOptions, 'port'> & { prepare?(sshd: Sshd): void };

/** Whether our core refused it because the machine was not connected: then it has not reached the machine. */
export function isRefused(error: unknown): boolean {
  return error instanceof Error && REFUSED.test(error.message);
}

/** A machine behind a bad line and a core of this machine that is connected to it, each in its own processes. The caller disposes it. */
export class FarMachine {
  readonly client = new SshClient();
  sshd!: Sshd;
  line!: BadLine;
  core!: BackgroundCore;
  /** The connection to this machine's core. */
  near!: CoreConnection;
  key = '';
  /** Opens the window of this machine's core. */
  url = '';
  /** How often the connection was lost: a state can pass between two looks of a busy test. */
  losses = 0;
  #far: CoreConnection | null = null;
  #view: MachineView | null = null;

  /** `prepare` is called before Hansard starts there. */
  static async start({ prepare, ...line }: FarOptions = {}): Promise<FarMachine> {
    const machine = new FarMachine();
    try {
      await machine.#start(line, prepare);
    } catch (error) {
      await machine.dispose(); // the caller cannot dispose it
      throw error;
    }
    return machine;
  }

  get state(): string {
    return this.#view?.state ?? 'none';
  }

  get isSlow(): boolean {
    return this.#view?.isSlow === true;
  }

  get api(): CoreConnection['api'] {
    return this.near.api;
  }

  get dataFolder(): string {
    return this.sshd.dataFolder;
  }

  /** The API of the other machine's core, without ssh and the line. */
  get far(): CoreConnection['api'] {
    this.#far ??= connectTo(this.sshd.dataFolder);
    return this.#far.api;
  }

  async is(state: MachineView['state']): Promise<void> {
    await until(
      () => this.state === state,
      () => `it is ${this.state}, not ${state}: ${this.#view?.reason}`,
    );
  }

  async hasLost(times: number): Promise<void> {
    await until(
      () => this.losses >= times,
      () => `it was lost ${this.losses} times, not ${times}: it is ${this.state}`,
    );
  }

  /** Does what a person does when the line is lost just then: waits until it is connected, and gives again what was refused. */
  async give<T>(act: () => Promise<T>): Promise<T> {
    for (;;)
      try {
        return await act();
      } catch (error) {
        if (!isRefused(error)) throw error;
        await sleep(LOOK_EVERY_MS);
        await this.is('connected');
      }
  }

  /** Opens a terminal on the other machine; resolves when its shell is at its prompt. */
  async open(cwd?: string): Promise<string> {
    const { id } = await this.near.api.terminal.open.mutate({
      ...SIZE,
      shell: 'bash',
      machine: this.key,
      ...(cwd !== undefined && { cwd }),
    });
    await runIn(this.near.api, id, 'true');
    return id;
  }

  write(path: string, text: string): void {
    this.sshd.write(path, text);
  }

  /** Starts a command; resolves once it runs. */
  async begin(id: string, text: string): Promise<void> {
    const { api } = this.near;
    let reason = '';
    const submit = async (): Promise<boolean> => {
      const verdict = await this.give(() => api.terminal.submit.mutate({ id, text }));
      if (!verdict.ok) ({ reason } = verdict);
      return verdict.ok;
    };
    const runs = async (): Promise<boolean> => {
      const { blocks } = await api.block.page.query({ terminalId: id, limit: 1 });
      return blocks.at(-1)?.cmd === text;
    };
    await until(submit, () => `${text} was refused: ${reason}`);
    await until(runs, () => `${text} does not run`);
  }

  async #start(line: Omit<ProxyOptions, 'port'>, prepare?: FarOptions['prepare']): Promise<void> {
    this.sshd = await startSshd({ client: this.client });
    this.sshd.installHansard();
    prepare?.(this.sshd);
    this.line = await startProxy({ port: this.sshd.port, ...line });
    this.client.point(this.sshd.name, this.line.port);
    this.core = new BackgroundCore(this.client.env);
    this.url = await this.core.start();
    this.near = connectTo(this.core.home);
    this.near.api.machine.onChange.subscribe(undefined, {
      onData: ({ machines: [view = null] }) => {
        if (this.state === 'connected' && view?.state !== 'connected') this.losses += 1;
        this.#view = view;
      },
    });
    const verdict = await this.near.api.machine.connect.mutate({ name: this.sshd.name });
    if (!verdict.ok) throw new Error(verdict.reason);
    this.key = verdict.key;
    await this.is('connected');
  }

  /** The rows of a screen, read on the other machine (`far`) and through this machine's core (`near`). */
  async rows(id: string): Promise<{ far: string[]; near: string[] }> {
    const read = async (api: CoreConnection['api'], terminalId: string): Promise<string[]> => {
      const reading = await api.screen.read.query({ terminalId });
      return reading.full ? reading.frame.rows.map(({ text }) => text.trimEnd()) : [];
    };
    return { far: await read(this.far, withoutMachine(id)), near: await read(this.near.api, id) };
  }

  async dispose(): Promise<void> {
    this.near?.dispose();
    this.#far?.dispose();
    await this.core?.dispose();
    await this.line?.dispose();
    await this.sshd?.dispose();
    this.client.dispose();
  }
}

async function until(isMet: () => boolean | Promise<boolean>, complaint: () => string): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  while (!(await isMet())) {
    if (performance.now() > endMs) throw new Error(complaint());
    await sleep(LOOK_EVERY_MS);
  }
}
