import { chmodSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Notice } from '../../../src-main/contract/notice.ts';
import type { CoreConnection } from '../../../src-main/hosts/web/connectCore.ts';
import { runCli } from '../../cli/runCli.ts';
import { connectTo } from '../../support/coreClient.ts';
import { ServedApp } from '../../support/WebApp.ts';
import { endpointOf } from '../mcpClient.ts';
import { goodHeaders, modern } from './httpMessages.ts';

const app = new ServedApp();
const told: Notice[] = [];
let link: CoreConnection;

beforeAll(async () => {
  await app.start();
  link = connectTo(app.home);
  link.api.system.onNotice.subscribe(undefined, { onData: (notice) => told.push(notice) });
}, 60_000);

afterAll(async () => {
  link.dispose();
  await app.dispose();
});

const set = (change: { 'mcp.http'?: boolean; 'mcp.httpPort'?: number }) => link.api.settings.set.mutate(change);
const urlNow = (): string | undefined => endpointOf(app.home).httpUrl;

/** Changes settings and resolves with the new URL once it differs from the old one. */
async function opened(change: Parameters<typeof set>[0]): Promise<string> {
  const before = urlNow();
  await set(change);
  await expect.poll(urlNow, { timeout: 10_000 }).not.toBe(before);
  return urlNow() ?? '';
}

/** HTTP status of a call with the token; 0 if the port is closed. */
async function ask(url: string, token = endpointOf(app.home).httpToken): Promise<number> {
  const [body, headers] = modern('tools/list');
  const asked = { ...goodHeaders(Number(new URL(url).port)), ...headers, Authorization: `Bearer ${token}` };
  return fetch(url, { method: 'POST', headers: asked, body }).then(
    ({ status }) => status,
    () => 0,
  );
}

async function doctor(...args: string[]): Promise<string> {
  const { stdout } = await runCli(['mcp', 'doctor', ...args], { home: app.home });
  return stdout.split('\n').find((line) => /HTTP/.test(line)) ?? '';
}

test('it is off until the person turns it on, and off at once when they turn it off', async () => {
  expect(urlNow()).toBeUndefined();
  const url = await opened({ 'mcp.http': true });
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  expect(statSync(join(app.home, 'run', 'endpoint.json')).mode & 0o777).toBe(0o600);
  expect(await ask(url)).toBe(200);
  expect(await ask(url, '0'.repeat(64))).toBe(401);
  await set({ 'mcp.http': false });
  await expect.poll(urlNow).toBeUndefined();
  expect(await ask(url)).toBe(0);
});

test('another setting that changes leaves it alone', async () => {
  const url = await opened({ 'mcp.http': true });
  await link.api.settings.set.mutate({ theme: 'dark' });
  expect([urlNow(), await ask(url)]).toEqual([url, 200]);
  await set({ 'mcp.http': false });
  await expect.poll(urlNow).toBeUndefined();
});

test('it listens where the person says; where that is taken they are told, until it is not', async () => {
  const taken: Server = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as { port: number };
  await set({ 'mcp.http': true, 'mcp.httpPort': port });
  const notice = (): Notice | undefined => told.findLast(({ key }) => key === 'mcp-http');
  await expect.poll(() => notice()?.text, { timeout: 10_000 }).toMatch(/over HTTP: .*EADDRINUSE/);
  expect(urlNow()).toBeUndefined();
  await set({ 'mcp.http': false });
  await expect.poll(() => notice()?.cleared).toBe(true);
  await new Promise((resolve) => taken.close(resolve));
  expect(await opened({ 'mcp.http': true })).toBe(`http://127.0.0.1:${port}/mcp`);
  await set({ 'mcp.http': false, 'mcp.httpPort': 0 });
  await expect.poll(urlNow).toBeUndefined();
});

test('the doctor says whether it is on and what a client needs, and the token only when asked', async () => {
  expect(await doctor()).toContain('HTTP is off');
  const url = await opened({ 'mcp.http': true });
  const { httpToken: token = '' } = endpointOf(app.home);
  const plain = await doctor();
  expect(plain).toContain(`{"type":"http","url":"${url}","headers":{"Authorization":"Bearer <token>"}}`);
  expect(await runCli(['mcp', 'doctor', '--json'], { home: app.home })).toMatchObject({
    stdout: expect.not.stringContaining(token),
  });
  expect(await doctor('--show-token')).toContain(`"Bearer ${token}"`);
});

async function restart(): Promise<void> {
  link.dispose();
  await app.stop();
  await app.start();
  link = connectTo(app.home);
}

test('it is on again after a restart, at the same address and with the same token', async () => {
  const before = endpointOf(app.home);
  expect(await ask(before.httpUrl ?? '', before.token), 'the token of the socket').toBe(401);
  await restart();
  await expect.poll(() => endpointOf(app.home).httpUrl, { timeout: 10_000 }).toBe(before.httpUrl);
  const after = endpointOf(app.home);
  expect([after.httpToken, after.token === before.token]).toEqual([before.httpToken, false]);
  expect(await ask(after.httpUrl ?? '')).toBe(200);
  expect(statSync(join(app.home, 'mcp-http.json')).mode & 0o777).toBe(0o600);
});

test('it takes another port where that of last time is taken', async () => {
  const before = endpointOf(app.home);
  link.dispose();
  await app.stop();
  const taken: Server = createServer();
  await new Promise<void>((resolve) => taken.listen(Number(new URL(before.httpUrl ?? '').port), '127.0.0.1', resolve));
  await app.start();
  link = connectTo(app.home);
  await expect.poll(() => endpointOf(app.home).httpUrl, { timeout: 10_000 }).toBeDefined();
  expect(endpointOf(app.home).httpUrl).not.toBe(before.httpUrl);
  await new Promise((resolve) => taken.close(resolve));
});

test('a token that was replaced opens nothing any more, and ends what it had opened', async () => {
  const { httpUrl: url = '', httpToken: old = '' } = endpointOf(app.home);
  const [body, headers] = modern('subscriptions/listen', { notifications: { resourcesListChanged: true } });
  const asked = { ...goodHeaders(Number(new URL(url).port)), ...headers, Authorization: `Bearer ${old}` };
  const stream = await fetch(url, { method: 'POST', headers: asked, body });
  const ended = stream.text().then(
    () => 'ended',
    () => 'ended',
  );
  const { stdout, code } = await runCli(['mcp', 'rotate-token'], { home: app.home });
  expect([stdout, code]).toEqual([expect.stringContaining('Clients with the old token are refused'), 0]);
  expect(await ended).toBe('ended');
  expect(await ask(url, old)).toBe(401);
  await expect.poll(() => endpointOf(app.home).httpToken).not.toBe(old);
  expect(await ask(url)).toBe(200);
});

test('a token that others could read is not used', async () => {
  const { httpToken: old } = endpointOf(app.home);
  link.dispose();
  await app.stop();
  chmodSync(join(app.home, 'mcp-http.json'), 0o644);
  await app.start();
  link = connectTo(app.home);
  await expect.poll(() => endpointOf(app.home).httpToken, { timeout: 10_000 }).toBeDefined();
  expect(endpointOf(app.home).httpToken).not.toBe(old);
  expect(statSync(join(app.home, 'mcp-http.json')).mode & 0o777).toBe(0o600);
});
