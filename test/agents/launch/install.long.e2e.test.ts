import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { installAgent } from './install.ts';
import { cacheFolder, isBefore, parseAgent } from './versions.ts';

let cache = '';
let server: Server | undefined;

beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'rig-cache-'));
  vi.stubEnv('XDG_CACHE_HOME', cache);
  vi.stubEnv('npm_config_cache', join(cache, 'npm'));
  vi.stubEnv('npm_config_fetch_retries', '0');
});

afterEach(() => {
  server?.close();
  server = undefined;
  vi.unstubAllEnvs();
  rmSync(cache, { recursive: true, force: true });
});

/** Starts a registry with one version of one package, but without its files. */
async function registry(): Promise<void> {
  const own = createServer((request, response) => {
    const isKnown = decodeURIComponent(request.url ?? '') === '/@openai/codex';
    const url = `http://${request.headers.host}/codex.tgz`;
    const one = { name: '@openai/codex', version: '0.1.2', dist: { tarball: url, shasum: '0'.repeat(40) } };
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
    const known = { name: '@openai/codex', 'dist-tags': { latest: '0.1.2' }, versions: { '0.1.2': one } };
    response.end(JSON.stringify(isKnown ? known : { error: 'not found' }));
  });
  server = own;
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('npm_config_registry', `http://127.0.0.1:${(own.address() as AddressInfo).port}/`);
}

const install = (text: string) => installAgent(parseAgent(text), () => undefined);

test('an agent without a version is the pinned one', async () => {
  await expect(install('codex')).resolves.toBeNull();
});

test('an unknown agent names those that there are', () => {
  expect(() => parseAgent('codx@1.0.0')).toThrow(/unknown agent "codx": choose one of claude, gemini, codex/);
});

test('what is no version says how to write one', () => {
  expect(() => parseAgent('codex@')).toThrow('write codex@VERSION, such as codex@latest');
  expect(() => parseAgent('codex@--registry=x')).toThrow('names no version');
});

test('an unknown version says how to list them', async () => {
  await registry();
  await expect(install('codex@9.9.9')).rejects.toThrow(/no such version of @openai\/codex; "npm view/);
});

test('without a network the registry is named as what did not answer', async () => {
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/');
  await expect(install('codex@latest')).rejects.toThrow(/registry did not answer \(ECONNREFUSED\); check the network/);
});

test('an installation that fails says why, and keeps nothing', async () => {
  await registry();
  await expect(install('codex@latest')).rejects.toThrow(
    /codex@0\.1\.2: the installation failed \(E404\)[\s\S]*codex\.tgz/,
  );
  expect(existsSync(cacheFolder()) ? readdirSync(cacheFolder()) : []).toEqual([]);
});

test('versions are compared by their numbers', () => {
  expect(isBefore('2.0.76', '2.1.54')).toBe(true);
  expect(isBefore('0.118.0', '0.77.0')).toBe(false);
  expect(isBefore('1.0.0', '1.0.0')).toBe(false);
});
