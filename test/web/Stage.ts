import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../src-main/contract/settings.ts';
import { strings } from '../../src-renderer/app/strings.ts';
import { type Connected, call, connectClient } from '../mcp/mcpClient.ts';
import { CutLine } from '../support/CutLine.ts';
import { ChatWriter, onlyTerminal, writeChat } from '../support/chatRecords.ts';
import { connectTo } from '../support/coreClient.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { ServedApp, TestBrowser } from '../support/WebApp.ts';

const POLICY = { clients: { 'test-client': { scopes: ['input'] } }, exec: { allow: [{ argv: ['pwd'] }] } };
const SIZE = { width: 1440, height: 900 };
const MANY = 'for n in $(seq 1 90); do echo "berth $n: depth $((n % 7)).$n m"; done';

type ContextOptions = Parameters<TestBrowser['open']>[1];

/** A window on a record with data of every kind, and ways to show each of its screens. */
export class Stage {
  readonly app = new ServedApp();
  readonly line = new CutLine();
  readonly #browser = new TestBrowser();
  win!: TerminalWindow;
  #mcp: Connected | undefined;
  /** Id of the first terminal, in which the client may ask to run commands. */
  #id = '';
  #asking: Promise<unknown> = Promise.resolve();

  readonly #isEmpty: boolean;
  readonly #options: ContextOptions;
  #isStarted = false;

  /** `isEmpty`: without a record and without a client. */
  constructor({ isEmpty = false, ...options }: ContextOptions & { isEmpty?: boolean } = {}) {
    this.#isEmpty = isEmpty;
    this.#options = options;
  }

  /** The window with the cards of its first tab and nothing open over them. Call it in a test, because hooks may not poll. */
  async ready(): Promise<TerminalWindow> {
    if (this.#isStarted) await this.#reset();
    else await this.#start();
    this.#isStarted = true;
    return this.win;
  }

  async #start(): Promise<void> {
    mkdirSync(this.app.home, { recursive: true, mode: 0o700 });
    writeFileSync(join(this.app.home, 'policy.json'), JSON.stringify(POLICY), { mode: 0o600 });
    if (!this.#isEmpty) await this.#record();
    await this.app.start();
    await this.line.to(this.app.url);
    const { page } = await this.#browser.open(this.line.url(this.app.url), { viewport: SIZE, ...this.#options });
    this.win = new TerminalWindow(page);
    await this.#ready();
    if (this.#isEmpty) return;
    this.#mcp = await connectClient(this.app.home);
    const { client } = this.#mcp;
    const listed = async () => (await call(client, 'pty_list')).ptys[0] ?? {};
    await soon(async () => (await listed()).state).toBe('idle');
    this.#id = (await listed()).pty_id;
    await call(client, 'pty_exec', { pty_id: this.#id, cmd: 'pwd', wait_ms: 20_000 });
    await soon(() => this.win.card('pwd').count()).toBe(1);
    await this.#ready();
  }

  /** A touch window focuses the composer only on a tap; a mouse window focuses it by itself. */
  async #ready(): Promise<void> {
    if (this.#options?.hasTouch) await soon(() => this.win.composer.count()).toBe(1);
    else await this.win.ready();
  }

  /** Changes settings as another window would. */
  async settings(change: Partial<Settings>): Promise<void> {
    const core = connectTo(this.app.home);
    await core.api.settings.set.mutate(change).finally(() => core.dispose());
  }

  /** A client asks to run something and waits; the next `ready` denies it. */
  ask(cmd: string): void {
    if (!this.#mcp) throw new Error('an empty stage has no client');
    const asked = call(this.#mcp.client, 'pty_exec', { pty_id: this.#id, cmd, wait_ms: 50_000 });
    this.#asking = asked.catch(() => undefined); // rejects when it is denied
  }

  /** Closes everything that is open, denies all clients, ends running commands, and shows the cards of the first tab. */
  async #reset(): Promise<void> {
    const { page } = this.win;
    this.line.repair();
    await page.setViewportSize(SIZE);
    const state = () =>
      page.evaluate(() => {
        if (document.querySelector('[role=dialog], [role=menu]') !== null) return 'open';
        // The focus has not yet returned from a closed element; a key would reach whatever gets it.
        if (document.activeElement === document.body && document.querySelector('[data-pane-of]') !== null)
          return 'closing';
        const held = 'search, [data-chat], .card:not(:has([data-keys=program] :focus))';
        return document.activeElement?.closest(held) ? 'open' : 'closed';
      });
    await page.keyboard.press('Escape'); // clears the typed text and a selection
    await soon(async () => {
      const now = await state();
      if (now === 'open') await page.keyboard.press('Escape');
      return now;
    }).toBe('closed');
    const deny = page.getByRole('button', { name: 'Deny', exact: true });
    if ((await deny.count()) > 0) await deny.first().click();
    await this.#asking;
    await this.settings({ tabs: 'side', 'prompt.mode': 'composer' });
    const panes = page.locator('[data-pane-of]');
    while ((await panes.count()) > 1) {
      const before = await panes.count();
      await this.win.act(strings.panes.actions.close);
      await soon(() => panes.count()).toBe(before - 1);
    }
    if ((await panes.count()) === 0) return; // the last tab is closed
    if ((await page.locator('.is-under').count()) > 0) await page.keyboard.press('Control+Shift+L'); // the terminal view
    await this.win.interruptLeftovers();
    await this.win.ready();
  }

  async dispose(): Promise<void> {
    await this.#mcp?.close();
    await this.#browser.dispose();
    await this.line.dispose();
    await this.app.dispose();
  }

  /** Records cards, a conversation in one of them, and a command that is still running. */
  async #record(): Promise<void> {
    await this.app.start();
    const win = new TerminalWindow((await this.#browser.open(this.app.url)).page);
    await win.ready();
    await win.run(MANY);
    await win.run(
      "printf '\\e[31mred\\e[0m \\e[1;32mgreen\\e[0m \\e[44mblue\\e[0m \\e[2mdim\\e[0m https://example.org\\n'",
    );
    await win.run('(echo "no such berth" >&2; exit 3)');
    await win.page.context().close();
    await this.app.stop();
    const id = onlyTerminal(this.app.home);
    const blocks = readFileSync(join(this.app.home, 'terminals', id, 'blocks.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const card = blocks.map((line) => JSON.parse(line)).find(({ cmd }) => cmd === MANY);
    writeChat(this.app.home, id, conversation(id, card.id));
  }
}

/** A conversation with every kind of message, code, a table and an open question. */
function conversation(terminalId: string, blockId: string) {
  const chat = new ChatWriter(terminalId, 'c-now', { firstOrder: 100, atMs: new Date(2025, 10, 28, 22, 48).getTime() });
  chat.event('cli:newSession', { agent: 'generic', blockId });
  chat.say('user', 'Why does the **berth** test fail?');
  chat.say(
    'model',
    'At *mean* water it passes:\n\n1. one\n2. two\n\n```ts\nconst depth = 7; // low tide\n```\n\n… lines not drawn\n\n| tide | depth |\n|---|---|\n| low | 5.6 |',
  );
  chat.say('toolCall', 'Run(npm test)', { tool: { name: 'Run', input: 'npm test', status: 'failed' } });
  chat.say('toolResult', 'FAIL berths\nlow tide expected');
  chat.event('cli:compact');
  chat.say('permission', 'Edit file\nsrc/berths.ts\nDo you want to make this edit?\n1. Yes\n2. No', { final: false });
  return chat.lines;
}
