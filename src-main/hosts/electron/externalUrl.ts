/** The decision on an address that the page wants to open outside. */
export type ExternalVerdict = { verdict: 'open' | 'ask'; url: string } | { verdict: 'never'; reason: string };

/** Longest address that every system's opener takes; the page has the same limit. */
const MAX_URL_CHARS = 2083;
/** Characters that browsers drop or rewrite while they read an address: the address shown would not be the one opened. */
const REWRITTEN = /[\u0000-\u0020\u007f-\u00a0\\]/;
const WEB: ReadonlySet<string> = new Set(['https:', 'http:']);

/**
 * http and https open (the page has shown the target and asked where output disguised it); mail addresses ask first;
 * nothing else ever. The address is parsed and its protocol compared: patterns and browsers disagree.
 */
export function judgeExternal(address: string): ExternalVerdict {
  if (address.length > MAX_URL_CHARS) return never('the address is too long');
  if (REWRITTEN.test(address)) return never('the address holds characters that hide where it leads');
  if (!URL.canParse(address)) return never('this is no address');
  const url = new URL(address);
  if (url.protocol === 'mailto:') return { verdict: 'ask', url: url.href };
  if (!WEB.has(url.protocol)) return never(`${url.protocol} addresses are not opened`);
  // `https:host` and `https:/host` parse as well, but are never written on purpose
  if (!address.toLowerCase().startsWith(`${url.protocol}//`)) return never('this is no complete address');
  if (url.username !== '' || url.password !== '') return never('the address holds a user name or password');
  if (holdsControl(url)) return never('the address holds a hidden control character');
  return { verdict: 'open', url: url.href };
}

/** `%00` and similar, anywhere: no address needs one, and its next reader may stop there. */
function holdsControl({ href }: URL): boolean {
  return /%(?:0|1)[0-9a-f]|%7f/i.test(href);
}

function never(reason: string): ExternalVerdict {
  return { verdict: 'never', reason };
}
