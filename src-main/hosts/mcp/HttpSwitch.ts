import type { PtyChatClient } from '../../core/PtyChatClient.ts';
import { tokenOwner } from '../../mcp/access/lastingOwner.ts';
import type { ConnectionLimit } from '../../mcp/server/ConnectionLimit.ts';
import { HttpKeyFile } from '../../store/instance/mcpHttpKey.ts';
import { systemClock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import type { Log } from '../../util/Log.ts';
import { detach } from '../../util/strayErrors.ts';
import { McpHttpGuard } from './McpHttpGuard.ts';

const NOTICE = 'mcp-http';

export interface SwitchSpec {
  readonly core: PtyChatClient;
  readonly dataFolder: string;
  readonly seats: ConnectionLimit;
  readonly log: Log;
  /** Reports that HTTP was turned on or off. */
  onChanged(open: { url: string; token: string } | null): void;
}

/** Opens and closes the HTTP server whenever the person's settings change. */
export class HttpSwitch implements IDisposable {
  readonly #spec: SwitchSpec;
  readonly #over = new AbortController();
  #door: McpHttpGuard | null = null;
  /** The settings that the current state was made for. */
  #wanted = '';

  constructor(spec: SwitchSpec) {
    this.#spec = spec;
    detach('HttpSwitch', this.#follow());
  }

  dispose(): void {
    this.#over.abort();
    this.#door?.dispose();
    this.#door = null;
  }

  async #follow(): Promise<void> {
    for await (const settings of this.#spec.core.settings.follow(this.#over.signal)) {
      const port = settings['mcp.http'] ? settings['mcp.httpPort'] : null;
      if (String(port) === this.#wanted) continue;
      this.#wanted = String(port);
      this.#shut();
      if (port !== null) await this.#open(port);
    }
  }

  #shut(): void {
    this.#spec.core.notices.clear(NOTICE, systemClock.nowMs());
    if (!this.#door) return;
    this.#door.dispose();
    this.#door = null;
    this.#spec.onChanged(null);
  }

  async #open(port: number): Promise<void> {
    const { core, dataFolder, seats, log, onChanged } = this.#spec;
    const served = { desk: core.outside, clients: core.clients, machines: core.machines };
    let door: McpHttpGuard | null = null;
    try {
      // Loaded here, because they load every tool and the protocol's library, and HTTP is off by default.
      const [{ McpHttp }, { makeServer }, key] = await Promise.all([
        import('../../mcp/http/McpHttp.ts'),
        import('../../mcp/server/makeServer.ts'),
        HttpKeyFile.open(dataFolder),
      ]);
      let url = '';
      const tell = (): void => {
        if (this.#door === door && url !== '') onChanged({ url, token: key.token });
      };
      door = new McpHttpGuard({
        http: new McpHttp({ served, makeServer, clock: systemClock, log, owner: () => tokenOwner(key.token) }),
        token: () => key.token,
        onRotated: tell,
        seats,
        log,
      });
      this.#door = door;
      url = await listenAt(door, port, key);
      tell();
    } catch (error) {
      door?.dispose();
      if (this.#door === door) this.#door = null;
      this.#complain(port, error instanceof Error ? error.message : String(error));
    }
  }

  #complain(port: number, reason: string): void {
    this.#spec.log('mcp_http_not_served', { port, reason });
    this.#spec.core.notices.raise({
      key: NOTICE,
      level: 'warning',
      text: `MCP clients cannot reach Hansard over HTTP: ${reason}`,
      action: null,
      terminalId: null,
      atMs: systemClock.nowMs(),
    });
  }
}

/** Listens on `port`. Port 0 means the last port, so that clients find it again, or any free one if that is taken. */
async function listenAt(door: McpHttpGuard, port: number, key: HttpKeyFile): Promise<string> {
  const last = port === 0 ? key.lastPort : null;
  const url = last === null ? await door.listen(port) : await door.listen(last).catch(() => door.listen(0)); // the port is taken
  await key.keepPort(Number(new URL(url).port));
  return url;
}
