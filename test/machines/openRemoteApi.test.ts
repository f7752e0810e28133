import { createServer } from 'node:http';
import { duplexPair } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { openRemoteApi } from '../../src-main/hosts/web/openRemoteApi.ts';
import { soon } from '../support/soon.ts';

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params?: { readonly path: string };
}

/** An API whose other end is this test, with the requests that arrived there and the socket for answers. */
async function open() {
  const [near, far] = duplexPair();
  const asked: Asked[] = [];
  const sockets = new WebSocketServer({ noServer: true });
  const connected = new Promise<WebSocket>((resolve) => sockets.once('connection', resolve));
  const server = createServer().on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (one) => sockets.emit('connection', one, request)),
  );
  server.emit('connection', far);
  const api = openRemoteApi(near, 'token');
  onTestFinished(() => api.dispose());
  const socket = await connected;
  socket.on('message', (bytes) => asked.push(JSON.parse(bytes.toString())));
  const first = api.call('query', 'first', undefined);
  await soon(() => asked.length).toBe(1);
  socket.send('{"id":1,"result":{"type":"data"}}');
  await first;
  asked.length = 0;
  return { api, asked, far, socket };
}

test('sends a key in the turn in which it is typed, without a timer', async () => {
  const { api, asked } = await open();
  const timers = globalThis.setTimeout;
  onTestFinished(() => {
    globalThis.setTimeout = timers;
  });
  globalThis.setTimeout = (() => expect.unreachable('a timer was set')) as never;
  api.call('mutation', 'terminal.write', { data: 'a' }).catch(() => undefined);
  for (let turns = 0; turns < 20 && asked.length === 0; turns += 1) await turn();
  expect(asked).toMatchObject([{ method: 'mutation', params: { path: 'terminal.write' } }]);
});

test('gives each call its own answer, a refusal with its code, and passes over what answers nothing', async () => {
  const { api, asked, socket } = await open();
  const calls = ['a', 'b'].map((path) => api.call('query', path, undefined));
  await soon(() => asked.length).toBe(2);
  for (const words of ['no JSON', '[]', 'null', '{"id":7}', '{"id":"2"}', '{"id":1,"result":{"type":"data"}}'])
    socket.send(words);
  socket.send('{"id":3,"error":{"message":"not today","code":-32001,"data":{"code":"FORBIDDEN"}}}');
  socket.send('{"id":2,"result":{"type":"data","data":"two"}}');
  expect(await calls[0]).toBe('two');
  await expect(calls[1]).rejects.toMatchObject({ message: 'not today', data: { code: 'FORBIDDEN' } });
});

test('follows until it is stopped by either side, and answers the other side that it is there', async () => {
  const { api, asked, socket } = await open();
  const seen: unknown[] = [];
  const listener = {
    onData: (value: unknown) => seen.push(value),
    onError: (error: unknown) => seen.push(error),
    onComplete: () => seen.push('over'),
  };
  const following = api.subscribe('a', undefined, listener);
  api.subscribe('b', undefined, listener);
  await soon(() => asked.length).toBe(2);
  for (const result of ['{"type":"started"}', '{"type":"data","data":1}', '{"type":"data","data":2}'])
    socket.send(`{"id":2,"result":${result}}`);
  await soon(() => seen).toEqual([1, 2]);
  following.unsubscribe();
  await soon(() => asked.at(-1)).toEqual({ id: 2, method: 'subscription.stop' });
  socket.send('{"id":2,"result":{"type":"data","data":3}}');
  socket.send('{"id":3,"result":{"type":"stopped"}}');
  await soon(() => seen).toEqual([1, 2, 'over']);
  socket.removeAllListeners('message');
  const pong = new Promise((resolve) => socket.once('message', (bytes) => resolve(bytes.toString())));
  socket.send('PING');
  expect(await pong).toBe('PONG');
});

test('a broken pipe rejects every call, and completes no subscription', async () => {
  const { api, far } = await open();
  const seen: string[] = [];
  const note = (word: string) => () => seen.push(word);
  api.subscribe('a', undefined, { onData: note('data'), onError: note('error'), onComplete: note('over') });
  const call = api.call('mutation', 'b', undefined);
  far.end();
  await expect(call).rejects.toMatchObject({ kind: 'cut' });
  await expect(api.lost).rejects.toMatchObject({ kind: 'cut' });
  expect(seen).toEqual([]);
});

test('a call after the pipe broke is refused at once', async () => {
  const { api, far } = await open();
  far.end();
  await expect(api.lost).rejects.toMatchObject({ kind: 'cut' });
  const late = api.call('mutation', 'b', undefined).catch((error: unknown) => error);
  expect(await Promise.race([late, turn('still open')])).toMatchObject({ kind: 'cut' });
});

test('a call that was cancelled before is not sent', async () => {
  const { api, asked } = await open();
  await expect(api.call('mutation', 'a', undefined, AbortSignal.abort())).rejects.toMatchObject({ kind: 'cut' });
  const next = api.call('query', 'b', undefined);
  next.catch(() => undefined); // rejects when the test closes the pipe at its end
  await soon(() => asked.map(({ params }) => params?.path)).toEqual(['b']);
});

test('a machine that floods is not read faster than a window draws, and loses nothing', async () => {
  const { api, asked, socket } = await open();
  let seen = 0;
  const note = { onData: () => (seen += 1), onError: () => undefined, onComplete: () => undefined };
  api.subscribe('a', undefined, note);
  await soon(() => asked.length).toBe(1);
  const fromMs = performance.now();
  for (let n = 0; n < 4_500; n += 1) socket.send('{"id":2,"result":{"type":"data","data":1}}');
  await soon(() => seen).toBeGreaterThan(2_900);
  expect(seen).toBeLessThan(4_400);
  await soon(() => seen).toBe(4_500);
  expect(performance.now() - fromMs).toBeGreaterThan(1_000);
});

test('frames that are no messages are held back as well', async () => {
  const { api, asked, socket } = await open();
  const call = api.call('query', 'a', undefined);
  await soon(() => asked.length).toBe(1);
  const fromMs = performance.now();
  for (let n = 0; n < 4_000; n += 1) {
    socket.pong();
    if (n % 500 === 0) await turn(); // what was written at once is read at once
  }
  socket.send('{"id":2,"result":{"type":"data","data":1}}');
  expect(await call).toBe(1);
  expect(performance.now() - fromMs).toBeGreaterThan(500);
});
