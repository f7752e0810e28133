/** A terminal, and a card of it where the link names one. */
export interface CardPlace {
  terminalId: string;
  blockId: string | null;
}

/** `long`: above the length of every link of ours; `foreign`: another scheme or another host; `form`: ours, but it names no terminal. */
export type LinkFault = 'long' | 'foreign' | 'form';
export type LinkReading = { ok: true; place: CardPlace } | { ok: false; fault: LinkFault };

/** The scheme that the desktop app registers with the system. */
export const LINK_SCHEME = 'hansard';
/** Two ids of 64 characters, the words between them and a web origin take less than half of it. */
const MAX_LINK_CHARS = 512;

const ID = '([A-Za-z0-9_-]{1,64})';
/** Links that were copied before 25 November 2026 say `block`. */
const PLACE = new RegExp(`^terminal/${ID}(?:/(?:card|block)/${ID})?/?$`);
const OWN = /^hansard:\/\//i;
/** The web front is bound to this machine, so a link of it has one of these hosts. */
const WEB = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?\/#\//i;
const HASH = '#/';

/**
 * The link of a terminal, or of a card of it. It holds no access token: who opens it needs a window of this Hansard. `origin`: of the web
 * front, or null for the scheme of the desktop app.
 */
export function cardLink(place: CardPlace, origin: string | null): string {
  return origin === null ? `${LINK_SCHEME}://${path(place)}` : `${origin}/${placeHash(place)}`;
}

/** The part of a web address that names the place, from `#` on. */
export function placeHash(place: CardPlace): string {
  return `${HASH}${path(place)}`;
}

/**
 * Reads a link of either front, or the part of a web address from `#` on. Nothing is decoded: ids have letters, digits, `_` and `-` alone,
 * so a link with `%00`, a query, a user name or another host is refused. Reading a link does nothing else.
 */
export function readCardLink(text: string): LinkReading {
  if (text.length > MAX_LINK_CHARS) return { ok: false, fault: 'long' };
  const start = OWN.exec(text)?.[0] ?? WEB.exec(text)?.[0] ?? (text.startsWith(HASH) ? HASH : undefined);
  if (start === undefined) return { ok: false, fault: 'foreign' };
  const [, terminalId, blockId = null] = PLACE.exec(text.slice(start.length)) ?? [];
  return terminalId === undefined ? { ok: false, fault: 'form' } : { ok: true, place: { terminalId, blockId } };
}

/** Whether a word of a command line was meant as a link, of ours or not, and not as a folder. */
export function looksLikeLink(word: string): boolean {
  return /^(?:hansard:|https?:\/\/)/i.test(word);
}

function path({ terminalId, blockId }: CardPlace): string {
  return `terminal/${terminalId}${blockId === null ? '' : `/card/${blockId}`}`;
}
