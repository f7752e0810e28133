import type { Attachment } from 'svelte/attachments';
import type { Touch } from './Touch.svelte.ts';

/** What leads elsewhere closes the drawer; what opens or folds something in it does not. */
const LEADS = 'button:not([aria-haspopup], [aria-expanded]), [role="tab"]';

/** Moves the keyboard into the drawer and back, and closes it when the person has chosen. */
export function takeDrawer(touch: Touch): Attachment<HTMLElement> {
  return (drawer) => {
    let before: Element | null = null;
    const onClick = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest(LEADS)) touch.closeDrawer();
    };
    const onKeydown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      touch.closeDrawer();
    };
    drawer.addEventListener('click', onClick);
    drawer.addEventListener('keydown', onKeydown);
    $effect(() => {
      if (!touch.isDrawerOpen) return;
      before = document.activeElement;
      drawer.querySelector<HTMLElement>('[role="tab"][aria-selected="true"], button')?.focus({ preventScroll: true });
      return () => {
        if (drawer.contains(document.activeElement) && before instanceof HTMLElement) before.focus();
      };
    });
    return () => {
      drawer.removeEventListener('click', onClick);
      drawer.removeEventListener('keydown', onKeydown);
    };
  };
}
