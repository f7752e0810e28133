import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { completionSpecs } from '../../resources/dev/completionSpecs.ts';

/** A folder with the specifications as the build writes them. */
export async function specFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-specs-'));
  for (const [name, text] of await completionSpecs()) writeFileSync(join(folder, name), text);
  return folder;
}

/** Writes files, and their folders, below `root`. A name that ends in a slash is a folder. */
export function writeTree(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name.endsWith('/') ? name : join(name, '..')), { recursive: true });
    if (!name.endsWith('/')) writeFileSync(join(root, name), text);
  }
}
