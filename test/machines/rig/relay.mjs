// A real core behind a proxy: what a program that replaces `ssh` needs to change the messages of another machine on their way.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { Duplex } from 'node:stream';
import WebSocket, { WebSocketServer } from 'ws';

/**
 * Starts the core of `cli` and passes its messages through `taken(message, { path, input, say, client })`, which says what the other side gets. `path`
 * and `input` are those of the request that a message answers.
 */
export function relay(cli, taken) {
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer();
  const core = spawn(process.execPath, [cli, 'serve', '--stdio', '1'], { stdio: ['pipe', 'pipe', 'inherit'] });
  let token = '';
  let head = Buffer.alloc(0);

  core.stdout.on('readable', function read() {
    for (let piece = core.stdout.read(); piece !== null; piece = core.stdout.read()) {
      head = Buffer.concat([head, piece]);
      const end = head.indexOf('\n');
      if (end < 0) continue;
      core.stdout.off('readable', read);
      const line = head.toString('utf8', 0, end + 1);
      if (head.length > end + 1) core.stdout.unshift(head.subarray(end + 1));
      ({ token } = JSON.parse(line.slice(line.indexOf('{'))));
      process.stdout.write(line);
      const pipe = Duplex.from({ readable: process.stdin, writable: process.stdout });
      pipe.on('error', () => process.exit());
      server.emit('connection', pipe);
      return;
    }
  });
  core.on('exit', () => process.exit());
  process.stdin.on('end', () => process.exit());

  server.on('upgrade', (request, socket, first) =>
    sockets.handleUpgrade(request, socket, first, (client) => {
      const far = new WebSocket('ws://machine/trpc', {
        headers: { Authorization: `Bearer ${token}`, 'x-hansard-front': 'machine' },
        createConnection: () => Duplex.from({ readable: core.stdout, writable: core.stdin }),
      });
      const early = [];
      const asked = new Map();
      client.on('message', (text) => {
        for (const { id, params } of [JSON.parse(String(text))].flat()) if (params) asked.set(id, params);
        if (far.readyState === WebSocket.OPEN) far.send(String(text));
        else early.push(String(text));
      });
      far.on('open', () => {
        for (const text of early) far.send(text);
      });
      const say = (text) => client.send(text);
      far.on('message', (text) => {
        for (const message of [JSON.parse(String(text))].flat()) {
          const { path, input } = asked.get(message.id) ?? {};
          taken(message, { path, input, say, client });
        }
      });
      far.on('close', () => process.exit());
      client.on('close', () => process.exit());
    }),
  );
}
