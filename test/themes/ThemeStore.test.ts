import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ThemeStore } from '../../src-main/themes/ThemeStore.ts';

const GHOSTTY = [
  ...Array.from({ length: 16 }, (_, index) => `palette = ${index}=#${String(index).padStart(6, '0')}`),
  'background = #101010',
  'foreground = #eeeeee',
].join('\n');

let folder: string;
let store: ThemeStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hansard-themes-'));
  store = new ThemeStore(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const imported = async () => (await store.list()).filter(({ isImported }) => isImported).map(({ id }) => id);

test('lists the sixteen built-in themes where nothing was imported', async () => {
  expect((await store.list()).length).toBe(16);
});

test('an imported theme is listed, found and replaced by a second import', async () => {
  expect(await store.importFile('/somewhere/Low Tide', GHOSTTY)).toMatchObject({ ok: true, replaced: false });
  expect(await imported()).toEqual(['low-tide']);
  expect(store.find('dark', 'low-tide').background).toBe('#101010');
  expect(await store.importFile('Low Tide', GHOSTTY)).toMatchObject({ ok: true, replaced: true });
  await store.remove('low-tide');
  expect(await imported()).toEqual([]);
});

test('a theme of the other kind or of no known name gives our own', async () => {
  await store.importFile('Low Tide', GHOSTTY);
  await store.list();
  expect([store.find('light', 'low-tide').id, store.find('dark', 'gone').id]).toEqual(['paper', 'ink']);
});

test('a refused file stores nothing', async () => {
  expect(await store.importFile('x', 'background = teal')).toMatchObject({ ok: false });
  expect(await imported()).toEqual([]);
});

test('a file in the folder that is no theme is left out', async () => {
  await store.importFile('Low Tide', GHOSTTY);
  writeFileSync(join(folder, 'themes', 'broken.json'), '{');
  writeFileSync(join(folder, 'themes', 'other.json'), '{"id": "low-tide"}');
  expect(await imported()).toEqual(['low-tide']);
});
