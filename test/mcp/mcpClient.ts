import { readFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { McpEndpoint, type McpPreface } from '../../src-main/contract/mcp/mcp.ts';

/** The endpoint file of the core on the data folder `home` (not the default folder, which has another place for it). */
export function endpointOf(home: string): McpEndpoint {
  return McpEndpoint.parse(JSON.parse(readFileSync(join(home, 'run', 'endpoint.json'), 'utf8')));
}

/** Connects to the core's MCP socket and sends the preface. After it, each line is a JSON-RPC message. */
export async function connectSocket(home: string, preface: Partial<McpPreface> = {}): Promise<Socket> {
  const { socketPath, token } = endpointOf(home);
  const socket = createConnection(socketPath);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  socket.write(`${JSON.stringify({ token, bridge_pid: process.pid, ...preface })}\n`);
  return socket;
}

export interface Connected {
  client: Client;
  close(): Promise<void>;
}

/** An SDK client directly on the socket, without a bridge. */
export async function connectClient(
  home: string,
  {
    name = 'test-client',
    preface = {},
    mode,
  }: { name?: string; preface?: Partial<McpPreface>; mode?: 'legacy' | 'auto' } = {},
): Promise<Connected> {
  const socket = await connectSocket(home, preface);
  const options = mode === undefined ? {} : { versionNegotiation: { mode } };
  const client = new Client({ name, version: '1.0.0' }, options as never);
  // the server's transport works for a client too, because both sides frame messages by lines
  await client.connect(new StdioServerTransport(socket, socket));
  return {
    client,
    close: async () => {
      await client.close();
      socket.destroy();
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: each test checks the fields that it needs
type Told = Record<string, any>;

/** Calls a tool and returns its structured result; throws if the tool refuses. */
export async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Told> {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) throw new Error(JSON.stringify(result.content));
  return result.structuredContent as Told;
}

/** Calls a tool and returns its refusal; throws if the tool does not refuse. */
export async function refusal(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Told> {
  const result = await client.callTool({ name, arguments: args });
  if (!result.isError) throw new Error(`${name} did not refuse: ${JSON.stringify(result.structuredContent)}`);
  return result.structuredContent as Told;
}
