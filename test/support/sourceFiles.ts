import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

export interface SourceFile {
  /** Relative to the repository's root, with forward slashes. */
  path: string;
  text: string;
}

/** All files below `folder` (from the root) whose names end in one of `endings`. */
export function sourceFiles(folder: string, endings: readonly string[]): SourceFile[] {
  const top = join(ROOT, folder);
  return readdirSync(top, { recursive: true, encoding: 'utf8' })
    .map((name) => join(top, name))
    .filter((path) => endings.some((ending) => path.endsWith(ending)) && statSync(path).isFile())
    .map((path) => ({ path: relative(ROOT, path).split(sep).join('/'), text: readFileSync(path, 'utf8') }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The percentile of `values` at `share` (0–1); 0 if there are no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
