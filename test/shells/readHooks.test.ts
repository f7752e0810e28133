import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readHooks } from '../../src-main/shells/readHooks.ts';

const HOOKS = fileURLToPath(new URL('../../shell-hooks', import.meta.url));

test('takes hansard.* for hooks and tells which of them are none', () => {
  const texts: Record<string, string> = {
    'hansard.one': '# @shells one',
    'hansard.two': 'nothing',
    'helper.one': '# @shells no',
  };
  const found = readHooks('/hooks', {
    readdirSync: () => [...Object.keys(texts), 'zdotdir'],
    readFileSync: (path) => texts[path.slice('/hooks/'.length)] ?? '',
  });
  expect(found.hooks.map(({ path, header }) => [path, header.shells])).toEqual([['/hooks/hansard.one', ['one']]]);
  expect(found.refused).toEqual([{ path: '/hooks/hansard.two', reason: 'no @shells line' }]);
});

test('reads all of the hooks that come with Hansard', () => {
  const { hooks, refused } = readHooks(HOOKS, { readdirSync: (path) => readdirSync(path), readFileSync });
  expect(hooks.map(({ path }) => path.slice(HOOKS.length))).toEqual([
    '/hansard.bash',
    '/hansard.fish',
    '/hansard.ps1',
    '/hansard.zsh',
  ]);
  expect(refused).toEqual([]);
});
