import { describe, expect, test } from 'vitest';
import { SettingsState } from '../../../src-renderer/settings/SettingsState.svelte.ts';
import { fakeRpc, usualSettings } from '../support/fakeRpc.ts';

describe('settings', () => {
  test('a change shows at once and is taken back when the core refuses it', async () => {
    const { rpc } = fakeRpc({
      'settings.set': () => {
        throw new Error('too large');
      },
    });
    const settings = new SettingsState(rpc, usualSettings);
    const setting = settings.set({ theme: 'light' });
    expect(settings.current.theme).toBe('light');
    await expect(setting).rejects.toThrow('too large');
    expect(settings.current.theme).toBe('system');
  });

  test('what the core says while a change is under way does not undo it', async () => {
    let tell: (settings: typeof usualSettings) => void = () => undefined;
    let stored = usualSettings;
    const { rpc } = fakeRpc({
      'settings.onChange': (listen: typeof tell) => {
        tell = listen;
        return () => undefined;
      },
      'settings.set': (change: Partial<typeof usualSettings>) => {
        stored = { ...stored, ...change };
        return stored;
      },
    });
    const settings = new SettingsState(rpc, usualSettings);
    settings.start();
    const both = [settings.set({ tabs: 'top' }), settings.set({ theme: 'dark' })];
    tell(usualSettings);
    expect([settings.current.tabs, settings.current.theme]).toEqual(['top', 'dark']);
    await Promise.all(both);
    expect([settings.current.tabs, settings.current.theme]).toEqual(['top', 'dark']);
    tell({ ...stored, theme: 'light' });
    expect(settings.current.theme).toBe('light');
  });
});
