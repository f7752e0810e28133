import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findAddress } from '../../../src-main/hosts/web/findAddress.ts';
import { acquireLock, type HeldLock, lockPath } from '../../../src-main/store/instance/lockFile.ts';

let folder: string;
let lock: HeldLock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hansard-address-'));
  const taken = acquireLock(folder);
  if (!taken.ok) throw new Error('refused in an empty folder');
  lock = taken;
});
afterEach(() => {
  lock.release();
  rmSync(folder, { recursive: true, force: true });
});

const addressOf = (pid: number) => ({ version: 1, pid, socketPath: '/nowhere', token: 'secret' }) as const;
const write = (text: string): void => writeFileSync(join(folder, 'core.json'), text);

test('a core that serves is found at once', async () => {
  write(JSON.stringify(addressOf(process.pid)));
  expect(await findAddress(folder, 0)).toEqual({ status: 'ok', address: addressOf(process.pid) });
});

test.each([
  ['nothing', null],
  ['the address of a core that was killed', JSON.stringify(addressOf(2 ** 22 + 1))],
  ['half an address', '{"version":1,"pi'],
])('a core that is starting is waited for, with %s in core.json', async (_, before) => {
  if (before !== null) write(before);
  const found = findAddress(folder);
  setTimeout(() => write(JSON.stringify(addressOf(process.pid))), 100);
  expect(await found).toEqual({ status: 'ok', address: addressOf(process.pid) });
});

test('one that ends meanwhile leaves the place free', async () => {
  const found = findAddress(folder);
  setTimeout(() => lock.release(), 100);
  expect(await found).toEqual({ status: 'none' });
});

test('one that never says where it listens is told by its number', async () => {
  expect(await findAddress(folder, 100)).toEqual({ status: 'silent', pid: process.pid });
});

test('a lock whose number belongs to another process now is nobody’s', async () => {
  lock.release();
  writeFileSync(lockPath(folder), JSON.stringify({ pid: 1, start: 'another time', startedMs: 1, info: {} }));
  write(JSON.stringify(addressOf(1)));
  expect(await findAddress(folder, 0)).toEqual({ status: 'none' });
});
