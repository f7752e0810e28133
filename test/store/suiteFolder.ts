import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A soak leaves thousands of folders in it, on a disk that others write to. */
const REMOVAL_MS = 120_000;

/** A folder of its own for one suite; removed when the suite ends. */
export function suiteFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `hansard-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }), REMOVAL_MS);
  return folder;
}
