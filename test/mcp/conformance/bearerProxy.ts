import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDisposable } from '../../../src-main/util/Disposables.ts';

/**
 * Adds the token that the conformance suite cannot send, and streams everything else unchanged. It replaces its own port in Host and Origin
 * by the server's and keeps other addresses, so that the server still refuses what it must refuse.
 */
export async function bearerProxy(target: string, token: string): Promise<IDisposable & { url: string }> {
  const { hostname, port, pathname } = new URL(target);
  const proxy = createServer((asked, answer) => {
    const { method, url: path } = asked;
    const headers = { ...theirs(asked.headers, own, Number(port)), authorization: `Bearer ${token}` };
    const passed = request({ hostname, port, method, path, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 500, given.headers);
      answer.flushHeaders();
      given.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const own = (proxy.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${own}${pathname}`,
    dispose: () => {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}

function theirs(headers: IncomingHttpHeaders, own: number, server: number): IncomingHttpHeaders {
  const rename = (value: string | undefined): string | undefined => value?.replace(`:${own}`, `:${server}`);
  const copy = { ...headers };
  if (headers.host !== undefined) copy.host = rename(headers.host);
  if (headers.origin !== undefined) copy.origin = rename(headers.origin);
  return copy;
}
