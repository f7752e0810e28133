import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ListeningTransport } from '../../../src-main/mcp/server/ListeningTransport.ts';

const MIB = 1024 * 1024;
const ANSWER = { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(MIB) } } as const;
const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Both ends of a real socket: ours with a transport, and the client's, which does not read unless the test does. */
async function socketPair(): Promise<{ transport: ListeningTransport; client: Socket }> {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-unread-'));
  const server = createServer();
  server.listen(join(folder, 'sock'));
  await once(server, 'listening');
  const client = connect(join(folder, 'sock'));
  const [socket] = (await once(server, 'connection')) as [Socket];
  ends.push(() => {
    client.destroy();
    socket.destroy();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const transport = new ListeningTransport(socket, () => undefined);
  await transport.start();
  return { transport, client };
}

test('a client that asks and never reads is let go before its answers fill the memory', async () => {
  const { transport } = await socketPair();
  const told: string[] = [];
  transport.onerror = (error) => told.push(error.message);
  let isClosed = false;
  transport.onclose = () => {
    isClosed = true;
  };
  let sent = 0;
  for (; !isClosed && sent < 200; sent += 1) {
    await transport.send(ANSWER);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(sent).toBeGreaterThan(60);
  expect(sent).toBeLessThan(80);
  expect(told).toEqual(['the client does not read its answers']);
  await expect(transport.send(ANSWER)).rejects.toThrow('closed');
});

test('one that reads slowly gets as much as it asks for', async () => {
  const { transport, client } = await socketPair();
  let read = 0;
  client.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
  let sent = 0;
  for (; sent < 150; sent += 1) {
    await transport.send(ANSWER);
    while (sent * MIB - read > 24 * MIB) await once(client, 'data');
  }
  await expect.poll(() => read).toBe(sent * (JSON.stringify(ANSWER).length + 1));
});
