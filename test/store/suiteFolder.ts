import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Time limit for the removal: a soak leaves thousands of folders, on a disk that others write to. */
const REMOVAL_MS = 120_000;

/** A temporary folder for one suite, removed when the suite ends. */
export function suiteFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `hansard-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }), REMOVAL_MS);
  return folder;
}
