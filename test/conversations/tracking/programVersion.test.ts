import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programVersion } from '../../../src-main/conversations/tracking/programVersion.ts';

const root = mkdtempSync(join(tmpdir(), 'version-'));

function installed(name: string, json: string): string {
  const folder = join(root, 'lib/node_modules', name);
  mkdirSync(join(folder, 'dist/bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), json);
  writeFileSync(join(folder, 'dist/bin/cli.js'), '');
  const link = join(root, name.replaceAll('/', '-'));
  symlinkSync(join(folder, 'dist/bin/cli.js'), link);
  return link;
}

test('the version is that of the package which the program belongs to, behind its link', async () => {
  const link = installed('@google/gemini-cli', JSON.stringify({ name: '@google/gemini-cli', version: '0.34.0' }));
  expect(await programVersion(['@google/gemini-cli'], ['/usr/bin/node', link], [])).toBe('0.34.0');
});

test('ignores a package of another name and one that cannot be read', async () => {
  const other = installed('other', JSON.stringify({ name: 'other', version: '9.9.9' }));
  const broken = installed('broken', '{ "name": ');
  expect(await programVersion(['@google/gemini-cli'], ['node', other], [])).toBeNull();
  expect(await programVersion(['@google/gemini-cli'], ['node', broken], [])).toBeNull();
  expect(await programVersion(['@google/gemini-cli'], ['gemini'], [])).toBeNull();
});

test('a program for one system, and one in a folder of its version', async () => {
  const native = installed(
    '@openai/codex-linux-x64',
    JSON.stringify({ name: '@openai/codex-linux-x64', version: '0.169.0-linux-x64' }),
  );
  expect(await programVersion(['@openai/codex'], [native], [])).toBe('0.169.0');
  expect(await programVersion(['@anthropic-ai/claude-code'], ['/opt/claude-code/versions/2.1.54/run'], [])).toBe(
    '2.1.54',
  );
});
