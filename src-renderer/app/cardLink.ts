/** A terminal, and a card of it where the address names one. */
export interface CardPlace {
  terminalId: string;
  blockId: string | null;
}

const ID = '([A-Za-z0-9_-]{1,64})';
const LINK = new RegExp(`^(?:hansard://|#/)terminal/${ID}(?:/block/${ID})?/?$`);

/**
 * The address of a card. It holds no access token: who opens it needs a window of this Hansard. `origin`: of the web front, or null for the
 * desktop's own scheme.
 */
export function cardLink(place: { terminalId: string; blockId: string }, origin: string | null): string {
  return `${origin === null ? 'hansard://' : `${origin}/#/`}terminal/${place.terminalId}/block/${place.blockId}`;
}

/** `hansard://terminal/…`, or the part from `#` on of a web address; null for anything else. */
export function parseCardLink(text: string): CardPlace | null {
  const [, terminalId, blockId = null] = LINK.exec(text) ?? [];
  return terminalId === undefined ? null : { terminalId, blockId };
}
