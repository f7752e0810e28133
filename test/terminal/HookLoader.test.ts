import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { HookLoader } from '../../src-main/terminal/HookLoader.ts';
import { ShellCatalog } from '../../src-main/terminal/ShellCatalog.ts';
import { FakeClock } from '../support/FakeClock.ts';

const folder = mkdtempSync(join(tmpdir(), 'hansard-loader-'));
afterAll(() => rmSync(folder, { recursive: true }));

let clock: FakeClock;
let loader: HookLoader;
beforeEach(() => {
  let count = 0;
  clock = new FakeClock();
  const shells = new ShellCatalog({ hooksDir: join(import.meta.dirname, '../../shell-hooks'), env: {} });
  loader = new HookLoader({ shells, folder, clock, randomId: () => String(count++) });
});

test('files that a shell has not read are gone after a minute', () => {
  expect(loader.line(['bash'], 'Zj1')).toContain('join-');
  expect(readdirSync(folder)).toHaveLength(2);
  clock.advance(59_999);
  expect(readdirSync(folder)).toHaveLength(2);
  clock.advance(1);
  expect(readdirSync(folder)).toEqual([]);
});

test('a core that ends leaves no nonce behind', () => {
  loader.line(['bash'], 'Zj1');
  loader.line(['zsh'], 'Zj2');
  loader.dispose();
  expect(readdirSync(folder)).toEqual([]);
});
