import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Returns the path of the nearest of `names` in `folder` or above it, or null. */
export async function findAbove(folder: string, names: readonly string[]): Promise<string | null> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    for (const name of names) {
      const path = join(at, name);
      if (await stat(path).catch(() => null)) return path; // not in this folder
    }
    if (at === dirname(at)) return null;
  }
}
