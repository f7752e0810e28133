import { readCardLink } from '../../src-main/contract/cardLink.ts';
import type { AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import { isPlaceHash } from '../rpc/placeHash.ts';
import type { Stop } from '../rpc/Rpc.ts';
import { takeKeptHash } from '../rpc/token.ts';
import { openBlock, openTerminal } from './openHit.ts';

/**
 * Opens the place that the window's address names, now and whenever it changes. The address is cleared, so that the same link works twice. Call
 * during component initialization.
 */
export function followCardLinks(app: AppState): void {
  $effect(() => (app.terminals.isKnown ? follow(app) : undefined));
}

function follow(app: AppState): Stop {
  const look = () => {
    const hash = isPlaceHash(location.hash) ? location.hash : takeKeptHash();
    if (hash === null) return;
    history.replaceState(null, '', location.pathname + location.search);
    void openCardLink(app, hash);
  };
  look();
  addEventListener('hashchange', look);
  return () => removeEventListener('hashchange', look);
}

/** Shows the card, or the terminal, that a link names. What cannot be found says so. */
export async function openCardLink(app: AppState, link: string): Promise<void> {
  const reading = readCardLink(link);
  const words = strings.cards.link;
  if (!reading.ok) {
    app.notices.fail(words.refused[reading.fault]);
    return;
  }
  const { terminalId, blockId } = reading.place;
  try {
    if (blockId === null) await openTerminal(app, terminalId);
    else await openBlock(app, { terminalId, blockId, n: null });
  } catch {
    app.notices.fail(words.noTerminal(terminalId));
  }
}
