// A minimal app in its own process, so that tests can kill it: endpoint file, socket, preface, and MCP by the SDK. argv: data folder, version.
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { McpPreface, PROTOCOL_VERSIONS } from '../../../src-main/contract/mcp/mcp.ts';
import { endpointPaths, endpointPlace, writeEndpoint } from '../../../src-main/store/instance/mcpEndpoint.ts';

const [home = '', version = '1', token = 'right'] = process.argv.slice(2);
const TOKEN = 'right';
const COUNTER = 'term://counter';
const socketPath = join(home, 'run', 'mcp.sock');
mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 });
rmSync(socketPath, { force: true });

const counted = new Set<() => void>();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function makeServer(preface: McpPreface, era: 'legacy' | 'modern'): Server {
  const server = new Server(
    { name: 'small', version },
    { capabilities: { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true }, prompts: {} } },
  );
  const subscribed = new Set<string>();
  const told = (): void => {
    if (era === 'modern' || subscribed.has(COUNTER)) void server.sendResourceUpdated({ uri: COUNTER });
  };
  counted.add(told);
  server.onclose = () => counted.delete(told);
  server.setRequestHandler('tools/list', () => ({
    tools: ['echo', 'digest', 'blob', 'hang', 'count', 'preface', 'ask'].map((name) => ({
      name,
      description: version,
      inputSchema: { type: 'object' as const },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const text = (params.arguments?.text ?? '') as string;
    const say = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });
    switch (params.name) {
      case 'digest':
        return say(sha256(text));
      case 'blob':
        return say('x'.repeat(Number(params.arguments?.size ?? 0)));
      case 'hang':
        return new Promise((resolve) => ctx.mcpReq.signal.addEventListener('abort', () => resolve(say('aborted'))));
      case 'count':
        for (const tell of counted) tell();
        return say('counted');
      case 'preface':
        return say(JSON.stringify({ ...preface, token: undefined }));
      case 'ask': {
        const answer = await server.elicitInput({
          message: 'May I?',
          requestedSchema: { type: 'object', properties: { yes: { type: 'boolean' } } },
        });
        return say(answer.action);
      }
      default:
        return say(text);
    }
  });
  server.setRequestHandler('resources/list', () => ({ resources: [{ uri: COUNTER, name: 'counter' }] }));
  server.setRequestHandler('resources/read', ({ params }) => ({ contents: [{ uri: params.uri, text: version }] }));
  server.setRequestHandler('prompts/list', () => ({ prompts: [] }));
  if (era === 'legacy') {
    server.setRequestHandler('resources/subscribe', ({ params }) => {
      subscribed.add(params.uri);
      return {};
    });
    server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      subscribed.delete(params.uri);
      return {};
    });
  }
  return server;
}

function welcome(socket: Socket): void {
  let held = Buffer.alloc(0);
  socket.on('error', () => undefined);
  const take = (chunk: Buffer): void => {
    held = Buffer.concat([held, chunk]);
    const end = held.indexOf(0x0a);
    if (end < 0) return;
    socket.off('data', take);
    const preface = McpPreface.parse(JSON.parse(held.subarray(0, end).toString()));
    if (preface.token !== TOKEN) {
      socket.destroy();
      return;
    }
    const handle = serveStdio(({ era }) => makeServer(preface, era), {
      transport: new StdioServerTransport(socket, socket),
    });
    if (held.length > end + 1) socket.unshift(held.subarray(end + 1));
    process.once('SIGTERM', () => void handle.close());
  };
  socket.on('data', take);
}

const server = createServer(welcome);
process.umask(0o177);
server.listen(socketPath, async () => {
  process.umask(0o077);
  await writeEndpoint(endpointPaths(home, endpointPlace({}, process.platform, homedir())), {
    v: 1,
    pid: process.pid,
    startedAt: Date.now(),
    appVersion: version,
    socketPath,
    token,
    protocolVersions: [...PROTOCOL_VERSIONS],
  });
  process.stdout.write('ready\n');
});
process.on('SIGTERM', () => setTimeout(() => process.exit(), 50));
