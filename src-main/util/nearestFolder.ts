import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Returns the path if it is a folder, else the nearest one above it that is. */
export function nearestFolder(path: string): string {
  const parent = dirname(path);
  return parent === path || isFolder(path) ? path : nearestFolder(parent);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // missing, or in a folder that may not be read
  }
}
