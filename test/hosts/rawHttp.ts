import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  /** 0: the connection was closed without an answer. */
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** A host's port or socket path. */
export type Place = { port: number } | { path: string };

export function connectTo(place: Place): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = 'port' in place ? connect(place.port, '127.0.0.1') : connect(place.path);
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Sends exactly `bytes` and reads until the other side closes or accepts an upgrade. */
export async function sendRaw(place: Place, bytes: string | Uint8Array): Promise<RawAnswer> {
  const socket = await connectTo(place);
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (Buffer.concat(chunks).includes('HTTP/1.1 101')) resolve();
    });
    socket.on('error', () => resolve());
    socket.on('close', () => resolve());
    socket.write(bytes);
  });
  socket.destroy();
  return parseAnswer(Buffer.concat(chunks).toString('latin1'));
}

/** A request line and headers, ready to send. `Connection: close` is added unless there is one. */
export function formatRequest(line: string, headers: Readonly<Record<string, string>>, body = ''): string {
  const all = { Connection: 'close', ...(body && { 'Content-Length': String(Buffer.byteLength(body)) }), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Headers of a WebSocket request. The key is the example of RFC 6455, section 1.3. */
export const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
} as const;

function parseAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => line.split(/:\s*/, 1).concat(line.slice(line.indexOf(':') + 1).trim()));
  return {
    status: Number(first.split(' ')[1] ?? 0),
    headers: Object.fromEntries(headers.map(([name = '', value = '']) => [name.toLowerCase(), value])),
    body: rest.join('\r\n\r\n'),
  };
}
