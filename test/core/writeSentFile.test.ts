import { readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeSentFile } from '../../src-main/core/uploads/writeSentFile.ts';

async function sent(name: string): Promise<string> {
  const path = await writeSentFile(name, Buffer.from('bytes'));
  onTestFinished(() => rmSync(dirname(path), { recursive: true, force: true }));
  return path;
}

test.each([
  ['shot.png', 'shot.png'],
  ["../it's a $(file).png", '_it_s_a_file_.png'],
  ['.bashrc', 'bashrc'],
  ['-rf', 'rf'],
  ['///', '_'],
  ['..', 'file'],
  ['', 'file'],
  [`${'圖'.repeat(300)}.png`, `${'圖'.repeat(76)}.png`],
  [`\u{1f600}${'a'.repeat(79)}`, `_${'a'.repeat(79)}`],
])('a file that is called %j is written as %j, for its user alone', async (name, kept) => {
  const path = await sent(name);
  expect(basename(path)).toBe(kept);
  expect(readFileSync(path, 'utf8')).toBe('bytes');
  expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
});

test('a file is written although the system has removed the folder of one before it', async () => {
  rmSync(dirname(await sent('a.png')), { recursive: true });
  expect(readFileSync(await sent('a.png'), 'utf8')).toBe('bytes');
});
