import type { BlockPane } from './BlockPane.svelte.ts';

/** Moves to the next or previous hit of the find bar: in the cards, or on the screen when it is shown instead. */
export function stepFind({ find, live, place }: BlockPane, by: 1 | -1): void {
  if (place.by !== 'pane') return find.step(by);
  const options = { regex: find.isRegex };
  if (by > 0) live.search.findNext(find.query, options);
  else live.search.findPrevious(find.query, options);
}
