import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client as Client2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from 'mcp-sdk-1/client/index.js';
import { StdioClientTransport as Stdio1 } from 'mcp-sdk-1/client/stdio.js';
import { ResourceUpdatedNotificationSchema } from 'mcp-sdk-1/types.js';
import { afterEach, describe, expect, test } from 'vitest';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { bridgeCommand, SmallApp } from './bridgeBed.ts';

const root = suiteFolder('mcp-clients');
let round = 0;
const URI = 'term://counter';

/** The common interface of clients of all SDK versions. */
interface AnyClient {
  call(name: string, args?: Record<string, unknown>): Promise<{ text: string; isError: boolean }>;
  toolDescriptions(): Promise<string[]>;
  /** Subscribes to `uri` and calls `told` at each update. */
  follow(uri: string, told: () => void): Promise<void>;
  end(): Promise<void>;
}

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of open.splice(0).reverse()) await end();
});

async function startApp(home: string, version = '1'): Promise<SmallApp> {
  const app = await SmallApp.start(home, { version });
  open.push(() => app.end());
  return app;
}

const textOf = (result: object): { text: string; isError: boolean } => {
  const { content, isError } = result as { content: { text: string }[]; isError?: boolean };
  return { text: content.map(({ text }) => text).join(), isError: isError === true };
};

async function version1(home: string): Promise<AnyClient> {
  const client = new Client1({ name: 'one', version: '1' });
  await client.connect(new Stdio1({ ...bridgeCommand(home), stderr: 'ignore' }));
  return {
    call: async (name, args = {}) => textOf(await client.callTool({ name, arguments: args })),
    toolDescriptions: async () => (await client.listTools()).tools.map(({ description = '' }) => description),
    follow: async (uri, told) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, told);
      await client.subscribeResource({ uri });
    },
    end: () => client.close(),
  };
}

const version2 =
  (mode: 'legacy' | 'auto' | { pin: '2026-07-28' }) =>
  async (home: string): Promise<AnyClient> => {
    const client = new Client2({ name: 'two', version: '2' }, { versionNegotiation: { mode } });
    await client.connect(new Stdio2({ ...bridgeCommand(home), stderr: 'ignore' }));
    return {
      call: async (name, args = {}) => textOf(await client.callTool({ name, arguments: args })),
      toolDescriptions: async () => (await client.listTools()).tools.map(({ description = '' }) => description),
      follow: async (uri, told) => {
        client.setNotificationHandler('notifications/resources/updated', told);
        if (client.getProtocolEra() === 'modern') await client.listen({ resourceSubscriptions: [uri] });
        else await client.subscribeResource({ uri });
      },
      end: () => client.close(),
    };
  };

describe.each([
  ['SDK 1', version1],
  ['SDK 2, with a handshake', version2('legacy')],
  ['SDK 2, as it finds', version2('auto')],
  ['SDK 2, stateless', version2({ pin: '2026-07-28' })],
] as const)('%s', (_, connect) => {
  test('goes on over an app that is killed in the middle of a call and started again', async () => {
    const home = join(root, `h${round++}`);
    mkdirSync(home, { mode: 0o700 });
    const first = await startApp(home);
    const client = await connect(home);
    open.push(() => client.end());
    expect(await client.call('echo', { text: 'one' })).toEqual({ text: 'one', isError: false });
    let updates = 0;
    let wake: () => void = () => undefined;
    await client.follow(URI, () => {
      updates += 1;
      wake();
    });
    const updated = (count: number): Promise<void> =>
      new Promise((resolve) => {
        wake = () => (updates >= count ? resolve() : undefined);
        wake();
      });
    await client.call('count');
    await updated(1);

    const hanging = client.call('hang');
    await client.call('echo');
    await first.end('SIGKILL');
    expect(await hanging).toEqual({ text: expect.stringMatching(/^APP_RESTARTED: .* — re-read /), isError: true });
    expect(await client.call('echo')).toEqual({ text: expect.stringMatching(/^APP_NOT_RUNNING: /), isError: true });

    await startApp(home, '2');
    await updated(2); // an update after the restart makes the client read again
    expect(await client.call('echo', { text: 'two' })).toEqual({ text: 'two', isError: false });
    await client.call('count');
    await updated(3);
  });

  test('starts while there is no app, with the lists of the catalog', async () => {
    const home = join(root, `h${round++}`);
    mkdirSync(home, { mode: 0o700 });
    const client = await connect(home);
    open.push(() => client.end());
    expect(await client.toolDescriptions()).toEqual(['catalog standard']);
    expect(await client.call('echo')).toEqual({ text: expect.stringMatching(/^APP_NOT_RUNNING: /), isError: true });
    await startApp(home);
    expect(await client.call('echo', { text: 'now' })).toEqual({ text: 'now', isError: false });
  });

  test('an app that is closed in good order ends no subscription', async () => {
    const home = join(root, `h${round++}`);
    mkdirSync(home, { mode: 0o700 });
    const first = await startApp(home);
    const client = await connect(home);
    open.push(() => client.end());
    const told = new Promise<void>(
      (resolve) =>
        void client
          .follow(URI, resolve)
          .then(() => first.end('SIGTERM'))
          .then(() => startApp(home)),
    );
    await told;
    expect(await client.call('echo', { text: 'x' })).toEqual({ text: 'x', isError: false });
  });
});
