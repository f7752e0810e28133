import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTRPCClient, createWSClient, type TRPCClient, wsLink } from '@trpc/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import type { AppRouter } from '../../src-main/api/appRouter.ts';
import { ServedApp } from '../support/WebApp.ts';
import { formatRequest, type RawAnswer, sendRaw } from './rawHttp.ts';

/** The built `hansard serve`; the tests check the files it writes, the pages it serves and the environment of its shells. */
let served: ServedApp;
let dataFolder: string;
let port: number;
let code: string;
let token: string;

beforeAll(async () => {
  dataFolder = mkdtempSync(join(tmpdir(), 'hansard-served-'));
  chmodSync(dataFolder, 0o755); // the mode that an older version may have left
  const umask = process.umask(0);
  served = await new ServedApp({
    home: dataFolder,
    env: { NODE_OPTIONS: '--no-warnings', ELECTRON_RUN_AS_NODE: '1', HANSARD_DEVTOOLS: '1' },
  }).start();
  process.umask(umask);
  const url = new URL(served.url);
  port = Number(url.port);
  code = url.hash.slice(1);
  token = (JSON.parse((await exchange(code)).body) as { token: string }).token;
});
afterAll(async () => {
  await served.stop();
  while (process.getActiveResourcesInfo().includes('ProcessWrap'))
    await new Promise((resolve) => setImmediate(resolve));
  rmSync(dataFolder, { recursive: true, force: true });
});

function exchange(given: string): Promise<RawAnswer> {
  const headers = { Host: `127.0.0.1:${port}`, 'Content-Type': 'application/json' };
  return sendRaw({ port }, formatRequest('POST /api/exchange', headers, JSON.stringify({ code: given })));
}

/** Runs `use` with the API of a page. */
async function withApi<T>(use: (api: TRPCClient<AppRouter>) => Promise<T>): Promise<T> {
  class PageSocket extends WebSocket {
    constructor(url: string) {
      super(url, ['hansard', `token.${token}`], { origin: `http://127.0.0.1:${port}` });
    }
  }
  const Socket = PageSocket as unknown as typeof globalThis.WebSocket;
  const client = createWSClient({ url: `ws://127.0.0.1:${port}/trpc`, WebSocket: Socket });
  try {
    return await use(createTRPCClient<AppRouter>({ links: [wsLink({ client })] }));
  } finally {
    await client.close();
  }
}

/** The output of `command` in a new terminal. */
function outputOf(command: string): Promise<string> {
  return withApi(async (api) => {
    const { id } = await api.terminal.open.mutate({ cols: 200, rows: 50 });
    await expect
      .poll(async () => (await api.terminal.submit.mutate({ id, text: command })).ok, { timeout: 20_000 })
      .toBe(true);
    const find = async () =>
      (await api.block.page.query({ terminalId: id, limit: 5 })).blocks.find(({ status }) => status === 'completed');
    await expect.poll(find, { timeout: 20_000 }).toBeDefined();
    const blockId = (await find())?.id ?? '';
    return (await api.block.text.query({ terminalId: id, blockId, what: 'output' })).text;
  });
}

function allFiles(): string[] {
  return readdirSync(dataFolder, { recursive: true, encoding: 'utf8' }).map((name) => join(dataFolder, name));
}

describe('the token', () => {
  test('was given for the printed code, which is then worth nothing', async () => {
    expect(token).toMatch(/^[\w-]{43}$/);
    expect((await exchange(code)).status).toBe(401);
  });

  test('is in no address, no argument and no environment of the process', () => {
    const proc = (name: string): string => readFileSync(`/proc/${served.pid}/${name}`, 'latin1');
    expect([served.url, proc('cmdline'), proc('environ')].filter((text) => text.includes(token))).toEqual([]);
  });

  test('reaches no shell, and neither does what started us', async () => {
    const env = await outputOf('env');
    expect(env).toContain('TERM_PROGRAM=hansard');
    expect(env).not.toContain(token);
    // An agent's hooks find their socket by these variables; the key only allows calls for this terminal.
    const own = env.replace(/^HANSARD_(?:TERMINAL|HOOK_SOCKET|HOOK_KEY)=.*$/gm, '');
    expect(own).not.toMatch(/^(HANSARD_\w*|ELECTRON_\w*|NODE_OPTIONS|npm_\w*)=/m);
  });

  test('stands in one file, and the code in none', () => {
    const files = allFiles().filter((path) => statSync(path).isFile());
    const holding = (text: string): string[] =>
      files.filter((path) => readFileSync(path).includes(text)).map((path) => path.slice(dataFolder.length + 1));
    expect(files.length).toBeGreaterThan(5);
    expect([holding(token), holding(code)]).toEqual([['core.json'], []]);
  });
});

describe('the data folder', () => {
  test('is closed to everyone else, with umask 000 and whatever mode it had', () => {
    const modes = [dataFolder, ...allFiles()].map((path) => {
      const stat = statSync(path);
      return [path.slice(dataFolder.length), stat.mode & 0o777, stat.isDirectory() ? 0o700 : 0o600];
    });
    expect(modes.filter(([, mode, wanted]) => mode !== wanted)).toEqual([]);
  });
});

describe('a second `serve` on the same record', () => {
  test('joins the first and prints a code of its own', async () => {
    const second = await new ServedApp({ home: dataFolder }).start();
    const url = new URL(second.url);
    expect([Number(url.port), url.hash.slice(1) === code]).toEqual([port, false]);
    expect(JSON.parse((await exchange(url.hash.slice(1))).body)).toEqual({ token });
    await second.stop();
  });
});
