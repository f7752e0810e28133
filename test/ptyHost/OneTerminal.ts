import type { TerminalView } from '../../src-main/contract/terminal.ts';
import type { CoreConnection } from '../../src-main/hosts/web/connectCore.ts';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { connectTo } from '../support/coreClient.ts';
import { readView } from '../support/readView.ts';
import { soon } from '../support/soon.ts';

const ENDS = {
  core: (app: BackgroundCore) => app.killCore(),
  all: (app: BackgroundCore) => app.kill(),
  stop: (app: BackgroundCore) => app.run('serve', 'stop', '--force'),
};

/** A core with its PTY host and one terminal, over kills of both. The caller disposes it. */
export class OneTerminal {
  readonly app: BackgroundCore;
  #core: CoreConnection | null = null;
  id = '';

  private constructor(env: Readonly<Record<string, string>>) {
    this.app = new BackgroundCore({ HANSARD_PTY_HOST: 'on', ...env });
  }

  static async open({
    shell,
    cwd,
    env = {},
  }: {
    shell: string;
    cwd?: string;
    env?: Readonly<Record<string, string>>;
  }): Promise<OneTerminal> {
    const one = new OneTerminal(env);
    await one.#begin();
    const wish = { shell, cols: 80, rows: 24, ...(cwd !== undefined && { cwd }) };
    one.id = (await one.api.terminal.open.mutate(wish)).id;
    return one;
  }

  get api(): CoreConnection['api'] {
    if (!this.#core) throw new Error('no core runs');
    return this.#core.api;
  }

  view(): Promise<TerminalView | undefined> {
    return readView(this.api, this.id);
  }

  /** Runs a command line once the shell is at its prompt. */
  submit(text: string): Promise<void> {
    return soon(async () => (await this.api.terminal.submit.mutate({ id: this.id, text })).ok).toBe(true);
  }

  /** Kills the core, kills it with its host and the shell, or stops all of them; starts the next core, and waits for its prompt or command. `between` is called while no core runs. */
  async renew(end: 'core' | 'all' | 'stop', between: () => unknown = () => undefined): Promise<void> {
    this.#core?.dispose();
    await ENDS[end](this.app);
    await between();
    await this.#begin();
    await soon(async () => {
      const view = await this.view();
      return view?.atPrompt === true || view?.runningBlockId != null;
    }).toBe(true);
  }

  async dispose(): Promise<void> {
    this.#core?.dispose();
    await this.app.run('serve', 'stop', '--force');
    await this.app.dispose();
  }

  async #begin(): Promise<void> {
    await this.app.start();
    this.#core = connectTo(this.app.home);
  }
}
