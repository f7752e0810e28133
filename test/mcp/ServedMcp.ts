import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectTo } from '../support/coreClient.ts';
import { ServedApp } from '../support/WebApp.ts';
import { type Connected, connectClient } from './mcpClient.ts';

/** A served app with one bash, a window's API connection, and an MCP client on its socket. */
export class ServedMcp {
  readonly app = new ServedApp();
  #link: ReturnType<typeof connectTo> | undefined;
  #mcp: Connected | undefined;

  async start(size: { cols: number; rows: number }, asked?: Parameters<typeof connectClient>[1]) {
    await this.app.start();
    const link = connectTo(this.app.home);
    this.#link = link;
    const mcp = await connectClient(this.app.home, asked);
    this.#mcp = mcp;
    const { id } = await link.api.terminal.open.mutate({ shell: '/bin/bash', ...size });
    return { link, mcp, id };
  }

  /** Writes a policy that gives every client these scopes and makes the terminals of `ptys.private` private. */
  allow(scopes: readonly string[], ptys: { readonly private?: readonly string[] } = {}): void {
    const policy = { version: 1, clients: { '*': { scopes } }, ptys };
    writeFileSync(join(this.app.home, 'policy.json'), JSON.stringify(policy), { mode: 0o600 });
  }

  async dispose(): Promise<void> {
    await this.#mcp?.close();
    this.#link?.dispose();
    await this.app.dispose();
  }
}
