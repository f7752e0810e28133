import type { Attachment } from 'svelte/attachments';
import type { AppState } from '../../app/AppState.svelte.ts';
import { openAddress } from '../../app/openAddress.ts';
import { isOpening } from '../../terminal/createXterm.ts';

/**
 * Links of a message open like those of output: with the modifier held, or by Enter; plain clicks select. Their address is shown beside them. The
 * browser itself never follows them.
 */
export function takeLinks(app: AppState): Attachment<HTMLElement> {
  return (element) => {
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element | null)?.closest('a');
      if (!link) return;
      event.preventDefault();
      const isByKey = event.detail === 0;
      if (event.type === 'click' && (isByKey || isOpening(event))) void openAddress(app, link.href, false);
    };
    element.addEventListener('click', onClick);
    element.addEventListener('auxclick', onClick);
    return () => {
      element.removeEventListener('click', onClick);
      element.removeEventListener('auxclick', onClick);
    };
  };
}
