import { expect, test } from 'vitest';
import { parseSettings } from '../../../src-renderer/settings/parseSettings.ts';

test('an object of settings is read', () => {
  expect(parseSettings('{"theme":"dark"}')).toEqual({ ok: true, settings: { theme: 'dark' } });
});

test.each(['', '{', '[]', 'null', '3'])('%j is refused with a reason', (text) => {
  const parsed = parseSettings(text);
  expect(parsed.ok ? '' : parsed.reason).not.toBe('');
});
