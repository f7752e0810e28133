import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SettingsStore } from '../../src-main/core/SettingsStore.ts';
import { suiteFolder } from '../store/suiteFolder.ts';

const root = suiteFolder('settings');

function folderWith(name: string, settings: unknown): string {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
  return folder;
}

describe('the former age limit of 30 days', () => {
  test('is dropped once, with a note, when no person chose it, and other settings stay', async () => {
    const folder = folderWith('former', { 'retention.days': 30, theme: 'light' });
    const first = await SettingsStore.open(folder);
    expect(first.settings.value).toMatchObject({ 'retention.days': 0, theme: 'light' });
    expect(first.note).toContain('no longer removed for their age');
    const second = await SettingsStore.open(folder);
    expect([second.settings.value['retention.days'], second.note]).toEqual([0, null]);
  });

  test('holds where a person sets it, and another value of an older version holds without a note', async () => {
    const folder = folderWith('chosen', {});
    await (await SettingsStore.open(folder)).settings.update({ 'retention.days': 30 });
    const again = await SettingsStore.open(folder);
    expect([again.settings.value['retention.days'], again.note]).toEqual([30, null]);
    const older = await SettingsStore.open(folderWith('older', { 'retention.days': 90 }));
    expect([older.settings.value['retention.days'], older.note]).toEqual([90, null]);
  });

  test('stays dropped after a change of something else', async () => {
    const folder = folderWith('change', { 'retention.days': 30 });
    await (await SettingsStore.open(folder)).settings.update({ theme: 'dark' });
    expect(JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8'))).toMatchObject({
      theme: 'dark',
      'retention.days': 0,
      'retention.daysChosen': false,
    });
  });
});
