import type { Attachment } from 'svelte/attachments';
import type { BlockPane } from '../state/BlockPane.svelte.ts';
import { isOpening } from '../terminal/createXterm.ts';

/** Clicks on links of finished output: with the modifier an address is opened and a place is copied. Plain clicks select. */
export function takeLinkClicks(pane: BlockPane): Attachment<HTMLElement> {
  return (body) => {
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element | null)?.closest<HTMLElement>('[data-link]');
      const target = link?.dataset.link;
      if (!link || target === undefined || !isOpening(event)) return;
      event.preventDefault();
      if (link.dataset.kind === 'path') void pane.copy(target, `Copied ${target}`);
      else void pane.openLink(target, link.dataset.shown !== 'true');
    };
    body.addEventListener('click', onClick);
    return () => body.removeEventListener('click', onClick);
  };
}
