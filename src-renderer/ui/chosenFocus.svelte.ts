import { tick } from 'svelte';

/** A page of rows that has the keys while it is open. */
interface RowsPage {
  /** Gives the keys to the page; set while it is drawn. */
  takeKeys: () => unknown;
}

/**
 * Call it while a page is being made. The page has the keys from the moment it opens: the chosen row, or the list itself until `isKnown`.
 * Returns what gives the keys to the chosen row, as it is drawn then.
 */
export function chosenFocus(
  page: RowsPage,
  list: () => HTMLElement | undefined,
  isKnown: () => boolean,
): () => Promise<void> {
  const focusChosen = async (): Promise<void> => {
    await tick();
    const element = list();
    const chosen = element?.querySelector<HTMLElement>('[data-chosen]');
    if (chosen) chosen.focus();
    else element?.focus({ preventScroll: true });
  };
  $effect(() => {
    page.takeKeys = focusChosen;
    void focusChosen();
    return () => {
      page.takeKeys = () => undefined;
    };
  });
  $effect(() => {
    if (isKnown() && document.activeElement === list()) void focusChosen();
  });
  return focusChosen;
}
