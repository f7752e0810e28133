import { describe, expect, test } from 'vitest';
import { Settings, SettingsChange } from '../../src-main/contract/settings.ts';

describe('a change of settings', () => {
  test('holds the keys that were sent and no defaults of others, so that one change never resets another', () => {
    const usual = Settings.parse({});
    expect(SettingsChange.parse({})).toEqual({});
    for (const [key, value] of Object.entries(usual))
      expect(SettingsChange.parse({ [key]: value })).toEqual({ [key]: value });
  });

  test('is refused where the settings themselves would be', () => {
    expect(SettingsChange.safeParse({ theme: 'pink' }).success).toBe(false);
    expect(SettingsChange.safeParse({ 'retention.days': -1 }).success).toBe(false);
  });
});
