import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { LINK_SCHEME } from '../../contract/cardLink.ts';

/**
 * The folder named on the command line (`hansard open DIR`), absolute; null if none was named or it is not a folder. `argv` is complete: its second
 * item is the app's own path unless the app is packaged. Ignores Chromium's switches anywhere.
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
