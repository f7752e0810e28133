import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { type McpEndpoint, PROTOCOL_VERSIONS } from '../contract/mcp.ts';
import { McpSocket } from '../mcp/McpSocket.ts';
import type { PtyChatClient } from '../session/PtyChatClient.ts';
import { endpointPaths, endpointPlace, removeEndpoint, writeEndpoint } from '../store/mcpEndpoint.ts';
import { listenPrivately, socketPath } from '../store/privateSocket.ts';
import { type IDisposable, toDisposable } from '../util/Disposables.ts';
import type { Log } from '../util/Log.ts';

const SOCKET = 'mcp.sock';
const TOKEN_BYTES = 32;
const NOTICE = 'mcp';

interface McpService {
  readonly core: PtyChatClient;
  readonly dataFolder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly startedMs: number;
  readonly log: Log;
}

/**
 * The door for outside agents: a socket of this user's alone, and endpoint.json which tells bridges where it is and with which token, another
 * at each start. Where it cannot be opened the core works on without it, and the person is told.
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
  const { outside: desk, clients } = core;
  const socket = new McpSocket({ desk, clients, token: endpoint.token, log });
  try {
    await listenPrivately(endpoint.socketPath, () => listenAt(socket, endpoint.socketPath));
    const written = await writeEndpoint(
      endpointPaths(dataFolder, endpointPlace(env, process.platform, homedir())),
      endpoint,
    );
    return toDisposable(() => {
      socket.dispose();
      removeEndpoint(written, endpoint);
    });
  } catch (error) {
    socket.dispose();
    const reason = error instanceof Error ? error.message : String(error);
    log('mcp_not_served', { reason });
    core.notices.raise({
      key: NOTICE,
      level: 'warning',
      text: `Outside agents cannot reach Hansard: ${reason}`,
      action: null,
      terminalId: null,
      atMs: startedMs,
    });
    return toDisposable(() => undefined);
  }
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
