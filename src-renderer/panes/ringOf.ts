import { strings } from '../app/strings.ts';
import type { TerminalState } from '../tabs/TerminalState.svelte.ts';

/** What a pane without the focus wants: `asks`, an answer; `news`, a look. */
export interface Ring {
  kind: 'asks' | 'news';
  words: string;
}

/** The ring around a pane; null for the one that has the focus, and for one with no news. `unread`: notifications of its terminal. */
export function ringOf(
  { status }: Pick<TerminalState, 'status'>,
  { isActive, unread }: { isActive: boolean; unread: number },
): Ring | null {
  if (isActive) return null;
  if (status === 'waits') return { kind: 'asks', words: strings.panes.ring.asks };
  if (unread > 0) return { kind: 'news', words: strings.panes.ring.unread(unread) };
  return status === 'rang' || status === 'erred' ? { kind: 'news', words: strings.panes.ring.news } : null;
}
