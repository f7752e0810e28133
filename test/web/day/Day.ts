import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strings } from '../../../src-renderer/app/strings.ts';
import { connectTo } from '../../support/coreClient.ts';
import { installDrawnAgent } from '../../support/installDrawnAgent.ts';
import { soon, TerminalWindow } from '../../support/TerminalWindow.ts';
import { ServedApp, TestBrowser } from '../../support/WebApp.ts';

/** The expected command and exit code of a card; null if the command ended with its shell. */
export type Expected = readonly [cmd: string, exitCode: number | null];

const SIZE = { width: 1440, height: 900 };

/** Plays a person's day in one window, and keeps the cards that each terminal must have. */
export class Day {
  readonly folder = mkdtempSync(join(tmpdir(), 'hansard-day-'));
  /** The agent's command. */
  readonly agent = installDrawnAgent(this.folder);
  readonly #app: ServedApp;
  readonly #browser = new TestBrowser();
  readonly #cards = new Map<string, Expected[]>();
  #count = 0;
  win!: TerminalWindow;

  constructor(shell: string) {
    this.#app = new ServedApp({ env: { SHELL: `/usr/bin/${shell}` } });
  }

  async begin(): Promise<void> {
    const work = join(this.folder, 'work');
    mkdirSync(work);
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: work });
    git('init', '-q', '-b', 'main');
    writeFileSync(join(work, 'log.txt'), Array.from({ length: 400 }, (_, n) => `line ${n}\n`).join(''));
    git('add', 'log.txt');
    git('commit', '-qm', 'the first log');
    await this.#app.start();
    this.win = new TerminalWindow((await this.#browser.open(this.#app.url, { viewport: SIZE })).page);
    await this.win.ready();
    await this.run(`cd ${work}`);
  }

  async end(): Promise<void> {
    await this.#browser.dispose();
    await this.#app.dispose();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get page() {
    return this.win.page;
  }

  /** A word that no other action of the day has. */
  word(): string {
    this.#count += 1;
    return `tide${this.#count}`;
  }

  press(key: string): Promise<void> {
    return this.page.keyboard.press(key);
  }

  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  /** Types a line into the element with the focus, as a person does, and not into a chosen field. */
  async submit(cmd: string): Promise<void> {
    await soon(() => this.draft()).toBe('');
    await this.type(cmd);
    await soon(() => this.draft()).toBe(cmd);
    await this.press('Escape'); // of completions
    await this.press('Enter');
  }

  /** Runs a command that ends without input. */
  async run(cmd: string, exitCode = 0): Promise<void> {
    await this.submit(cmd);
    await this.did([cmd, exitCode]);
  }

  /** Runs a command whose program takes keys; `use` ends it. */
  async use(cmd: string, use: () => Promise<unknown>, exitCode: number | null = 0): Promise<void> {
    await this.submit(cmd);
    await soon(() => this.win.focused()).toBe('program');
    await use();
    await this.did([cmd, exitCode]);
  }

  /** Resolves when the program shows `text`. */
  shows(text: string): Promise<void> {
    return soon(async () => (await this.win.liveRows()).join('\n')).toContain(text);
  }

  /** The text of the composer with the focus; null if the focus is elsewhere or the shell is not idle. */
  draft(): Promise<string | null> {
    return this.page.evaluate((label) => {
      type Editor = Element & { cmTile?: { root: { view: { state: { doc: object } } } } };
      const field: Editor | null = document.activeElement;
      if (!field?.closest('[data-keys="line"]') || field.getAttribute('aria-label') !== label) return null;
      return field instanceof HTMLTextAreaElement ? field.value : String(field.cmTile?.root.view.state.doc);
    }, strings.composer.command);
  }

  /** Adds expected cards to the shown terminal, and checks all of its cards. */
  async did(...cards: Expected[]): Promise<void> {
    (await this.#shown()).push(...cards);
    await this.check();
  }

  /** Expects exactly the cards of the terminal's commands, the last one in view, and the focus in the empty composer. */
  async check(): Promise<void> {
    const id = await this.#id();
    const expected = await this.#shown();
    const core = connectTo(this.#app.home);
    try {
      await soon(async () => {
        const { blocks } = await core.api.block.page.query({ terminalId: id, limit: 1000 });
        return blocks.filter(({ cmd }) => cmd !== '').map(({ cmd, exitCode }) => [cmd, exitCode]);
      }).toEqual(expected);
    } finally {
      core.dispose();
    }
    await soon(() => this.draft()).toBe('');
    const last = expected.at(-1)?.[0].split('\n')[0];
    if (last !== undefined && last !== 'clear') await this.win.card(last).waitFor({ state: 'attached' });
  }

  async closeTab(): Promise<void> {
    await this.win.act(strings.tabs.actions.close);
  }

  /** Restarts the core and opens the window at its new address, as a person does. */
  async restart(signal: NodeJS.Signals): Promise<void> {
    await this.#app.stop(signal);
    await this.#app.start();
    await this.page.goto('about:blank');
    await this.page.goto(this.#app.url);
    await this.win.ready();
  }

  async #id(): Promise<string> {
    const tab = this.page.locator('[role=tab][aria-selected=true]');
    return ((await tab.getAttribute('id')) ?? '').replace(/^tab-/, '');
  }

  async #shown(): Promise<Expected[]> {
    const id = await this.#id();
    const known = this.#cards.get(id) ?? [];
    this.#cards.set(id, known);
    return known;
  }
}
