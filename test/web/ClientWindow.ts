import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Connected, call, connectClient } from '../mcp/mcpClient.ts';
import { ServedApp, TestBrowser } from '../support/WebApp.ts';

type Page = Awaited<ReturnType<TestBrowser['open']>>['page'];

const POLICY = {
  clients: { 'test-client': { scopes: ['input'] } },
  exec: { allow: [{ argv: ['pwd'] }], deny: [{ argv: ['rm'] }] },
  input: { default: 'allow', typing_hold_ms: 1000 },
};

/** A core with a window on its only shell, and a client of the socket that may run `pwd`, never `rm`, and must ask for everything else. */
export class ClientWindow {
  readonly app = new ServedApp();
  readonly #browser = new TestBrowser();
  page!: Page;
  mcp!: Connected;
  /** Id of the shell's terminal; the shell is at its prompt. */
  id = '';

  async start(): Promise<void> {
    // Written before the shell starts, because the shell reports the words that the policy needs.
    mkdirSync(this.app.home, { recursive: true, mode: 0o700 });
    writeFileSync(join(this.app.home, 'policy.json'), JSON.stringify(POLICY), { mode: 0o600 });
    await this.app.start();
    ({ page: this.page } = await this.#browser.open(this.app.url));
    await this.page.locator('.composer').first().waitFor();
    this.mcp = await connectClient(this.app.home);
    for (let state = ''; state !== 'idle'; await new Promise((resolve) => setTimeout(resolve, 50)))
      ({ pty_id: this.id = '', state = '' } = (await call(this.mcp.client, 'pty_list')).ptys[0] ?? {});
  }

  async dispose(): Promise<void> {
    await this.mcp?.close();
    await this.#browser.dispose();
    await this.app.dispose();
  }
}
