import { guard } from '../../tabs/tabActions.ts';
import type { BlockPane } from './BlockPane.svelte.ts';

/** Moves to the next or previous hit of the find bar: in the cards, or on the screen when it is shown instead. */
export function stepFind({ app, find, live, place }: BlockPane, by: 1 | -1): void {
  if (place.by !== 'pane') return find.step(by);
  guard(app, live.search.step(by, find.query, find.isRegex));
}
