import { hasHidden } from './hiddenChars.ts';
import { strings } from './strings.ts';

/** A link in a line. Offsets are UTF-16; `end` is exclusive. */
export interface FoundLink {
  start: number;
  end: number;
  kind: 'url' | 'path';
  target: string;
}

/** Whether an address from output or a program may be opened. */
export type LinkVerdict =
  | { verdict: 'open' | 'ask'; url: string; host: string }
  /** Only shown as text. */
  | { verdict: 'never'; reason: string };

/** Longest address that every browser accepts (Internet Explorer's old limit). */
const MAX_URL_CHARS = 2083;
/** Longer lines are not searched, because people do not click in a megabyte of base64. */
const MAX_SEARCHED_CHARS = 8192;

const URL_LIKE = /\bhttps?:\/\/[^\s<>"'`\u0000-\u0020\u007f-\u00a0]+/gi;
/** `src/berths.ts:14:3`, `./a.py:7`, `/etc/x.conf:12`: a name with a dot or a folder, then a line and perhaps a column. */
const PATH_LIKE =
  /(?<![\w./:@-])(?:~\/|\.{0,2}\/)?(?:[\w@.+-]+\/)*[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,9}:\d{1,7}(?::\d{1,5})?(?![\w/])/g;
/** Punctuation that ends a sentence, not an address. */
const TRAILING = /[.,;:!?]+$/;

/** Addresses and `path:line` file locations in one line of plain text, in order, without overlaps. */
export function findLinks(text: string): FoundLink[] {
  if (text.length > MAX_SEARCHED_CHARS) return [];
  const found: FoundLink[] = [];
  if (text.includes('://')) {
    for (const match of text.matchAll(URL_LIKE)) {
      const target = trimAddress(match[0]);
      if (judgeUrl(target).verdict === 'never') continue;
      found.push({ start: match.index, end: match.index + target.length, kind: 'url', target });
    }
  }
  for (const match of text.matchAll(PATH_LIKE)) {
    const [start, end] = [match.index, match.index + match[0].length];
    if (found.some((link) => start < link.end && end > link.start)) continue;
    found.push({ start, end, kind: 'path', target: match[0] });
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Removes characters of the sentence: final punctuation, and a closing bracket that the address did not open. */
function trimAddress(address: string): string {
  let url = address;
  for (;;) {
    const next = dropUnopened(url.replace(TRAILING, ''));
    if (next === url) return url;
    url = next;
  }
}

const BRACKETS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

function dropUnopened(url: string): string {
  const last = url.at(-1) ?? '';
  const open = BRACKETS[last];
  if (!open) return url;
  return url.split(open).length < url.split(last).length ? url.slice(0, -1) : url;
}

/**
 * Whether an address may be opened. Only http and https may, after the target was shown; mail addresses ask first, and so does a host name in another
 * script (`xn--`). The address is parsed instead of matched, because browsers and patterns disagree.
 */
export function judgeUrl(address: string): LinkVerdict {
  if (address.length > MAX_URL_CHARS) return refuse(strings.app.link.tooLong);
  if (/[\s\\\u0000-\u0020]/.test(address) || hasHidden(address)) return refuse(strings.app.link.hidden);
  if (/%00/.test(address)) return refuse(strings.app.link.nul);
  const url = parseUrl(address);
  if (!url) return refuse(strings.app.link.invalid);
  if (url.username !== '' || url.password !== '') return refuse(strings.app.link.userName);
  if (url.protocol === 'mailto:') return { verdict: 'ask', url: url.href, host: url.pathname };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse(strings.app.link.protocol(url.protocol));
  if (url.hostname === '') return refuse(strings.app.link.noHost);
  const isForeign = url.hostname.split('.').some((label) => label.startsWith('xn--'));
  return { verdict: isForeign ? 'ask' : 'open', url: url.href, host: url.host };
}

function refuse(reason: string): LinkVerdict {
  return { verdict: 'never', reason };
}

function parseUrl(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}
