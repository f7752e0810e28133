import type { BlockPane } from './BlockPane.svelte.ts';

/** To the next hit of the find bar, or to the one before: in the cards, or on the screen where that is shown instead. */
export function stepFind({ find, live, place }: BlockPane, by: 1 | -1): void {
  if (place.by !== 'pane') return find.step(by);
  const options = { regex: find.isRegex };
  if (by > 0) live.search.findNext(find.query, options);
  else live.search.findPrevious(find.query, options);
}
