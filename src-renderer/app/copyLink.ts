import { type CardPlace, cardLink } from '../../src-main/contract/cardLink.ts';
import type { AppState } from './AppState.svelte.ts';
import { strings } from './strings.ts';

/** The link to a terminal or card: a web address in a browser, `hansard://` in the desktop app. */
export function linkOf({ system }: AppState, place: CardPlace): string {
  return cardLink(place, system.frontend === 'web' ? location.origin : null);
}

/** Copies the link of a terminal. */
export function copyTerminalLink(app: AppState, terminalId: string): void {
  void app.notices.copy(linkOf(app, { terminalId, blockId: null }), strings.cards.copiedLink);
}
