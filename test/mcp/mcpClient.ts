import { readFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { McpEndpoint, type McpPreface } from '../../src-main/contract/mcp/mcp.ts';

/** The endpoint file of a core that serves a data folder other than the default one. */
export function endpointOf(home: string): McpEndpoint {
  return McpEndpoint.parse(JSON.parse(readFileSync(join(home, 'run', 'endpoint.json'), 'utf8')));
}

/** A connection that has said its preface; what comes and goes on it are JSON-RPC messages, a line each. */
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

/** An SDK client on the socket itself, without a bridge. */
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
  // lines in, lines out: the same framing whichever side one is
  await client.connect(new StdioServerTransport(socket, socket));
  return {
    client,
    close: async () => {
      await client.close();
      socket.destroy();
    },
  };
}

// A tool's result is what it is: each test says what it expects of it.
// biome-ignore lint/suspicious/noExplicitAny: said above
type Told = Record<string, any>;

/** The structured result of a tool; fails the test when the tool refuses. */
export async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Told> {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) throw new Error(JSON.stringify(result.content));
  return result.structuredContent as Told;
}

/** The refusal of a tool; fails the test when it does not refuse. */
export async function refusal(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Told> {
  const result = await client.callTool({ name, arguments: args });
  if (!result.isError) throw new Error(`${name} did not refuse: ${JSON.stringify(result.structuredContent)}`);
  return result.structuredContent as Told;
}
