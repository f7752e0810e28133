import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { LINK_SCHEME } from '../../contract/cardLink.ts';

/**
 * The folder that was named on the command line (`hansard open DIR`), absolute; null when none was, or what was named is
 * no folder. `argv` is the whole of it: the app's own path is its second item unless the app is packaged. Chromium's
 * switches may stand anywhere and are passed over.
 */
export function folderArgument(
  argv: readonly string[],
  { isPackaged, cwd }: { isPackaged: boolean; cwd: string },
): string | null {
  const named = argv.slice(1).filter((argument) => !argument.startsWith('-') && !isLink(argument))[isPackaged ? 0 : 1];
  if (named === undefined || named === '') return null;
  const path = resolve(cwd, named);
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : null;
}

/**
 * The link with which the system or `hansard open LINK` started the app, as it was given; null without one. Of several the last one counts:
 * Linux and Windows put it at the end.
 */
export function linkArgument(argv: readonly string[]): string | null {
  return argv.slice(1).findLast(isLink) ?? null;
}

function isLink(argument: string): boolean {
  return argument.slice(0, LINK_SCHEME.length + 1).toLowerCase() === `${LINK_SCHEME}:`;
}
