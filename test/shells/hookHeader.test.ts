import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseHookHeader } from '../../src-main/shells/hookHeader.ts';

const HOOKS = fileURLToPath(new URL('../../shell-hooks/', import.meta.url));

test('reads every key, and leaves comments for people alone', () => {
  const text = [
    '# @shells bash rbash',
    '# @args ["--rcfile", "{hook}"]',
    '# @login-args ["-l"]',
    '# @env {"A": "1"}',
    '# @login-env {"B": "2"}',
    '# @quality rich',
    '# @note Old ones are basic.',
    '# A word to people: @args of no effect.',
    '',
    '# @quality basic',
  ].join('\n');
  expect(parseHookHeader(text)).toEqual({
    ok: true,
    header: {
      shells: ['bash', 'rbash'],
      args: ['--rcfile', '{hook}'],
      loginArgs: ['-l'],
      env: { A: '1' },
      loginEnv: { B: '2' },
      quality: 'rich',
      source: '',
      note: 'Old ones are basic.',
    },
  });
});

test.each([
  ['', 'no @shells line'],
  ['# @args []', 'no @shells line'],
  ['# @shells a\n# @args {}', '@args is no JSON array of strings'],
  ['# @shells a\n# @login-args [1]', '@login-args is no JSON array of strings'],
  ['# @shells a\n# @env ["x"]', '@env is no JSON object of strings'],
  ['# @shells a\n# @login-env {"x": 1}', '@login-env is no JSON object of strings'],
  ['# @shells a\n# @env {broken', '@env is no JSON object of strings'],
  ['# @shells a\n# @quality good', '@quality is "good", not basic or rich'],
  ['# @shells a\n# @shell b', 'unknown key @shell'],
])('refuses %j with a reason', (text, reason) => {
  expect(parseHookHeader(text)).toEqual({ ok: false, reason });
});

const files = readdirSync(HOOKS).filter((name) => name.startsWith('hansard.'));

test.each(files)('%s hands the nonce over in a file, whose path alone stands in the environment', (name) => {
  const parsed = parseHookHeader(readFileSync(HOOKS + name, 'utf8'));
  if (!parsed.ok) throw new Error(parsed.reason);
  const { args, loginArgs, env, loginEnv } = parsed.header;
  expect(env.HANSARD_NONCE_FILE).toMatch(/^\{nonceFile(\.url)?\}$/);
  expect(JSON.stringify([args, loginArgs, { ...env, ...loginEnv, HANSARD_NONCE_FILE: '' }])).not.toContain('nonceFile');
});

test('serves each shell by one hook', () => {
  const served = files.flatMap((name) => {
    const parsed = parseHookHeader(readFileSync(HOOKS + name, 'utf8'));
    return parsed.ok ? parsed.header.shells : [];
  });
  expect(served.toSorted()).toEqual(['bash', 'fish', 'powershell', 'pwsh', 'zsh']);
});
