import { escapeLine } from '../../util/escapeControls.ts';

const MAX_NAME_CHARS = 64;
const MAX_TITLE_CHARS = 80;

/** A client's own name as policies and blocks know it: `My Client 2` is `my-client-2`. */
export function cleanName(claimed: string): string {
  const name = claimed
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, MAX_NAME_CHARS);
  return name === '' ? 'unknown' : name;
}

/** Safe to be shown to a person beside our own words. */
export function cleanTitle(claimed: string): string {
  return escapeLine(claimed.slice(0, MAX_TITLE_CHARS));
}
