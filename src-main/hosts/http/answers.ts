import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Refusal } from './guard.ts';

/** The path of a request target, without its query and as it was written; null when it is no path (`//`, `http://…`, `*`). */
export function pathOf(target: string | undefined): string | null {
  const path = target?.split('?', 1)[0] ?? '';
  return path.startsWith('/') && !path.startsWith('//') ? path : null;
}

/** Refuses with a sentence and closes the connection, because data after a refused request is not worth reading. */
export function answer(response: ServerResponse, { status, reason }: Refusal): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
  response.end(`${reason}\n`);
}

/** The same if Node has no response object: a refused upgrade or an unreadable request. Closes the socket. */
export function answerRaw(socket: Duplex, status: number, headers: Readonly<Record<string, string>>): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const lines = Object.entries({ ...headers, Connection: 'close', 'Content-Length': '0' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  // The peer may never close its half: without `destroy` one client could hold every connection there is.
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}\r\n${head}\r\n`, () => socket.destroy());
}

/** The status for a request that Node could not parse. */
export function statusOfBroken(error: Error): number {
  const code = 'code' in error ? error.code : '';
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}
