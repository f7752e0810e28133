import { escapeLine } from '../../util/escapeControls.ts';

const MAX_NAME_CHARS = 64;
const MAX_TITLE_CHARS = 80;

/** A client's own name in the form used by policies and blocks: `My Client 2` is `my-client-2`. */
export function cleanName(claimed: string): string {
  const name = claimed
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, MAX_NAME_CHARS);
  return name === '' ? 'unknown' : name;
}

/** A title that is safe to show to a person next to our own text. */
export function cleanTitle(claimed: string): string {
  return escapeLine(claimed.slice(0, MAX_TITLE_CHARS));
}
