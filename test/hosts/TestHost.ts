import { Keys } from '../../src-main/hosts/web/Keys.ts';
import { WebHost } from '../../src-main/hosts/web/WebHost.ts';
import { stubCore } from './stubCore.ts';

/** Files in place of the built window. */
export const FILES = new Map([
  ['/', { bytes: Buffer.from('<!doctype html><title>Hansard</title>'), type: 'text/html; charset=utf-8' }],
  ['/assets/index.js', { bytes: Buffer.from('export {};'), type: 'text/javascript; charset=utf-8' }],
]);

export interface RunningHost {
  host: WebHost;
  keys: Keys;
  port: number;
  /** Headers of a client that knows the token. */
  trusted: Record<string, string>;
}

/** Starts a web host with the real guards and a stub core on a free port. */
export async function startHost({
  requestTimeoutMs,
  publicOrigin,
}: {
  requestTimeoutMs?: number;
  publicOrigin?: string;
} = {}): Promise<RunningHost> {
  const keys = new Keys(() => Date.now());
  const host = new WebHost({
    core: stubCore(),
    keys,
    frontend: 'web',
    files: FILES,
    publicOrigin,
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
  });
  const port = await host.listen({ port: 0, host: '127.0.0.1' });
  return { host, keys, port, trusted: { Host: `127.0.0.1:${port}`, Authorization: `Bearer ${keys.token}` } };
}

/** Ends the host; resolves when its sockets are closed, which takes some turns of the event loop. */
export async function stopHost({ host }: RunningHost): Promise<void> {
  host.dispose();
  while (process.getActiveResourcesInfo().includes('TCPServerWrap'))
    await new Promise((resolve) => setImmediate(resolve));
}
