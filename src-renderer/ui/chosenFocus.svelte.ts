import { flushSync, tick } from 'svelte';
import { isNowhere } from '../composer/takeTyping.ts';

/** A page of rows that has the keys while it is open. */
interface RowsPage {
  /** Gives the keys to the page, at once and without scrolling; set while it is drawn. */
  takeKeys: () => void;
}

/**
 * Call it while a page is being made. The page has the keys from the moment it opens: the chosen row, or the list itself until a row is drawn. `rows`
 * are those of the list. The chosen row also gets a focus back that was lost because another group drew the row as a new element. Returns a function
 * that gives the keys to the chosen row, as it is drawn then, and scrolls to it.
 */
export function chosenFocus(
  page: RowsPage,
  list: () => HTMLElement | undefined,
  rows: () => readonly unknown[],
): () => Promise<void> {
  const focus = (options: FocusOptions): void => {
    const element = list();
    const chosen = element?.querySelector<HTMLElement>('[data-chosen]');
    if (chosen) chosen.focus(options);
    else element?.focus({ preventScroll: true });
  };
  const focusChosen = async (): Promise<void> => {
    await tick();
    focus({});
  };
  $effect(() => {
    page.takeKeys = () => {
      flushSync();
      focus({ preventScroll: true });
    };
    void focusChosen();
    return () => {
      page.takeKeys = () => undefined;
    };
  });
  let hadFocus = false;
  $effect.pre(() => {
    void rows();
    hadFocus = list()?.contains(document.activeElement) === true;
  });
  $effect(() => {
    const { activeElement } = document;
    const isLost = isNowhere(activeElement) || activeElement === list();
    if (rows().length > 0 && hadFocus && isLost) focus({ preventScroll: true });
  });
  return focusChosen;
}
