import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { type McpEndpoint, PROTOCOL_VERSIONS } from '../contract/mcp/mcp.ts';
import type { PtyChatClient } from '../core/PtyChatClient.ts';
import { ConnectionLimit } from '../mcp/server/ConnectionLimit.ts';
import { loadProtocol, McpSocket } from '../mcp/server/McpSocket.ts';
import { isInPlace } from '../store/files/folderIdentity.ts';
import { writeWhenRoom } from '../store/files/writeWhenRoom.ts';
import { endpointPaths, endpointPlace, removeEndpoint, writeEndpoint } from '../store/instance/mcpEndpoint.ts';
import { listenPrivately, socketPath } from '../store/instance/privateSocket.ts';
import { systemClock } from '../util/Clock.ts';
import { type IDisposable, toDisposable } from '../util/Disposables.ts';
import type { Log } from '../util/Log.ts';
import { detach } from '../util/strayErrors.ts';
import { HttpSwitch } from './mcp/HttpSwitch.ts';

const SOCKET = 'mcp.sock';
const TOKEN_BYTES = 32;
/** mcp.md, numbers. */
const MAX_CONNECTIONS = 32;
/** Limit for HTTP: any page in a browser can open connections to a port, and must not use up the seats of socket clients. */
const MAX_HTTP_CONNECTIONS = 16;
const NOTICE = 'mcp';
/** When the window has started; an update later replaces the files that a running core has not loaded. */
const LOAD_MS = 20_000;

interface McpService {
  readonly core: PtyChatClient;
  readonly dataFolder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly startedMs: number;
  readonly log: Log;
}

/**
 * Serves outside agents: opens a socket for this user only, and writes endpoint.json with its path and a token, which is new at each start. If the
 * socket cannot be opened, the core runs without it and raises a notice.
 */
export async function serveMcp({ core, dataFolder, env, startedMs, log }: McpService): Promise<IDisposable> {
  const endpoint: McpEndpoint = {
    v: 1,
    pid: process.pid,
    startedAt: startedMs,
    appVersion: core.info.version,
    socketPath: socketPath(dataFolder, SOCKET),
    token: randomBytes(TOKEN_BYTES).toString('hex'),
    protocolVersions: [...PROTOCOL_VERSIONS],
  };
  const { outside: desk, clients, machines } = core;
  const { token } = endpoint;
  const seats = new ConnectionLimit(MAX_CONNECTIONS);
  const socket = new McpSocket({ desk, clients, machines, token, seats, log });
  const loading = systemClock.after(LOAD_MS, () => detach('serveMcp', loadRest()));
  try {
    await listenPrivately(endpoint.socketPath, () => listenAt(socket, endpoint.socketPath));
    const file = new EndpointFile(endpointPaths(dataFolder, endpointPlace(env, process.platform, homedir())), endpoint);
    const writing = await writeWhenRoom(systemClock, () => file.write());
    const http = new HttpSwitch({
      core,
      dataFolder,
      seats: new ConnectionLimit(MAX_HTTP_CONNECTIONS, seats),
      log,
      onChanged: (open) =>
        void file.write(open).catch((error: unknown) => log('mcp_not_told', { reason: String(error) })),
    });
    return toDisposable(() => {
      loading.dispose();
      writing.dispose();
      http.dispose();
      file.dispose();
      if (isInPlace(dataFolder)) socket.dispose(); // otherwise the path belongs to another core, and closing the socket would remove it
    });
  } catch (error) {
    socket.dispose();
    const reason = error instanceof Error ? error.message : String(error);
    log('mcp_not_served', { reason });
    core.notices.raise({
      key: NOTICE,
      level: 'warning',
      text: `MCP clients cannot reach Hansard: ${reason}`,
      action: null,
      terminalId: null,
      atMs: startedMs,
    });
    return loading; // for exports
  }
}

/** All copies of endpoint.json: rewritten when the HTTP server opens or closes, removed at the end. */
class EndpointFile implements IDisposable {
  readonly #paths: readonly string[];
  readonly #endpoint: McpEndpoint;
  #isGone = false;

  constructor(paths: readonly string[], endpoint: McpEndpoint) {
    this.#paths = paths;
    this.#endpoint = endpoint;
  }

  /** Rejects if no path can be written. */
  async write(http: { url: string; token: string } | null = null): Promise<void> {
    const more = http === null ? {} : { httpUrl: http.url, httpToken: http.token };
    await writeEndpoint(this.#paths, { ...this.#endpoint, ...more });
    if (this.#isGone) this.dispose(); // disposed meanwhile
  }

  dispose(): void {
    this.#isGone = true;
    removeEndpoint(this.#paths, this.#endpoint);
  }
}

/** Loads the parts of the program that a core does not need at its start. */
function loadRest(): Promise<unknown> {
  return Promise.all([
    loadProtocol(),
    import('../mcp/http/McpHttp.ts'),
    import('../mcp/server/answerMachine.ts'),
    import('../conversations/export/exportChat.ts'),
  ]);
}

function listenAt({ server }: McpSocket, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
