/** A terminal, and one of its cards if the link names one. */
export interface CardPlace {
  terminalId: string;
  blockId: string | null;
}

/** `long`: longer than any of our links; `foreign`: another scheme or host; `form`: ours, but without a terminal. */
export type LinkFault = 'long' | 'foreign' | 'form';
export type LinkReading = { ok: true; place: CardPlace } | { ok: false; fault: LinkFault };

/** The scheme that the desktop app registers with the system. */
export const LINK_SCHEME = 'hansard';
/** More than twice the length of two ids of 64 characters, the words between them and a web origin. */
const MAX_LINK_CHARS = 512;

const ID = '([A-Za-z0-9_-]{1,64})';
/** Links copied before 25 November 2026 use `block`. */
const PLACE = new RegExp(`^terminal/${ID}(?:/(?:card|block)/${ID})?/?$`);
const OWN = /^hansard:\/\//i;
/** The web front is bound to this machine, so its links have one of these hosts. */
const WEB = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?\/#\//i;
const HASH = '#/';

/**
 * The link of a terminal or one of its cards. It has no access token: opening it requires a window of this Hansard. `origin`: the web
 * front's, or null for the scheme of the desktop app.
 */
export function cardLink(place: CardPlace, origin: string | null): string {
  return origin === null ? `${LINK_SCHEME}://${path(place)}` : `${origin}/${placeHash(place)}`;
}

/** The part of a web address that names the place, from `#` on. */
export function placeHash(place: CardPlace): string {
  return `${HASH}${path(place)}`;
}

/**
 * Reads a link of either front, or the part of a web address from `#` on. Decodes nothing: ids contain only letters, digits, `_` and `-`,
 * so a link with `%00`, a query, a user name or another host is refused. Has no side effects.
 */
export function readCardLink(text: string): LinkReading {
  if (text.length > MAX_LINK_CHARS) return { ok: false, fault: 'long' };
  const start = OWN.exec(text)?.[0] ?? WEB.exec(text)?.[0] ?? (text.startsWith(HASH) ? HASH : undefined);
  if (start === undefined) return { ok: false, fault: 'foreign' };
  const [, terminalId, blockId = null] = PLACE.exec(text.slice(start.length)) ?? [];
  return terminalId === undefined ? { ok: false, fault: 'form' } : { ok: true, place: { terminalId, blockId } };
}

/** Whether a word of a command line is a link, ours or another, rather than a folder. */
export function looksLikeLink(word: string): boolean {
  return /^(?:hansard:|https?:\/\/)/i.test(word);
}

function path({ terminalId, blockId }: CardPlace): string {
  return `terminal/${terminalId}${blockId === null ? '' : `/card/${blockId}`}`;
}
