import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { type SourceFile, sourceFiles } from '../support/sourceFiles.ts';

/** Imports that can start a process. Worker threads do not count. */
const STARTS = /from '(node-pty|node:child_process|playwright-core)'/;

const files = sourceFiles('test', ['.ts']).filter(({ path }) => !/node_modules|test\/fixtures/.test(path));
const byPath = new Map(files.map((file) => [file.path, file]));

function startsProcess({ path, text }: SourceFile, seen = new Set<string>()): string | null {
  if (STARTS.test(text)) return path;
  for (const [, to = ''] of text.matchAll(/from '(\.[^']+)'/g)) {
    const file = byPath.get(posix.join(posix.dirname(path), to));
    if (!file || seen.has(file.path)) continue;
    seen.add(file.path);
    const found = startsProcess(file, seen);
    if (found !== null) return found;
  }
  return null;
}

test('a test that starts a process says so in its name: x.pty.test.ts, or x.e2e.test.ts', () => {
  const pure = files.filter(({ path }) => /^[^.]+\.test\.ts$/.test(posix.basename(path)));
  expect(pure.length).toBeGreaterThan(200);
  const wrong = pure.flatMap((file) => {
    const through = startsProcess(file);
    return through === null
      ? []
      : [
          `${file.path} starts processes through ${through}: rename it to x.pty.test.ts, or x.e2e.test.ts for a browser`,
        ];
  });
  expect(wrong).toEqual([]);
});
