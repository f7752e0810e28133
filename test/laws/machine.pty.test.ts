import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/sourceFiles.ts';

/** A recording contains all that the screen showed, such as prompts with the machine's name and process lists with paths. */
test('nothing that is kept here names the machine it was made on', () => {
  const names = [`${ROOT.replace(/\/$/, '')}/`, `@${hostname()}:`, `"${hostname()}"`];
  if (homedir() !== '/root') names.push(`${homedir()}/`);
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 });
  const files = listed
    .split('\0')
    .filter((path) => path !== '' && !path.endsWith('.png') && existsSync(join(ROOT, path)));
  expect(files.length).toBeGreaterThan(500);
  const telling: string[] = [];
  for (const file of files) {
    const text = readFileSync(join(ROOT, file), 'latin1');
    for (const name of names) if (text.includes(name)) telling.push(`${file} has ${name}`);
  }
  expect(telling).toEqual([]);
});
