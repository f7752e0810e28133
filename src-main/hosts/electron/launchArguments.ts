import { statSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * The folder that was named on the command line (`hansard open DIR`), absolute; null when none was, or what was named is
 * no folder. `argv` is the whole of it: the app's own path is its second item unless the app is packaged. Chromium's
 * switches may stand anywhere and are passed over.
 */
export function folderArgument(
  argv: readonly string[],
  { isPackaged, cwd }: { isPackaged: boolean; cwd: string },
): string | null {
  const named = argv.slice(1).filter((argument) => !argument.startsWith('-'))[isPackaged ? 0 : 1];
  if (named === undefined || named === '') return null;
  const path = resolve(cwd, named);
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : null;
}
