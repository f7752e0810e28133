import type { Attachment } from 'svelte/attachments';
import type { BlockPane } from '../state/BlockPane.svelte.ts';
import { isOpening } from '../terminal/createXterm.ts';

/** Clicks on links of finished output: with the modifier an address is opened and a place is shown in the editor. Plain clicks select. */
export function takeLinkClicks(pane: BlockPane): Attachment<HTMLElement> {
  return (body) => {
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element | null)?.closest<HTMLElement>('[data-link]');
      const target = link?.dataset.link;
      if (!link || target === undefined || !isOpening(event)) return;
      event.preventDefault();
      if (link.dataset.kind === 'path') void openPlace(pane, target, link);
      else void pane.openLink(target, link.dataset.shown !== 'true');
    };
    body.addEventListener('click', onClick);
    return () => body.removeEventListener('click', onClick);
  };
}

async function openPlace(pane: BlockPane, place: string, link: HTMLElement): Promise<void> {
  const blockId = link.closest<HTMLElement>('[data-flow]')?.dataset.flow;
  if (blockId === undefined) return;
  try {
    const verdict = await pane.app.rpc.block.openPlace({ terminalId: pane.terminal.id, blockId, place });
    if (!verdict.opened) pane.app.notices.fail(`Not opened: ${verdict.reason}`);
    else if (verdict.terminalId === null) pane.app.notices.say(`Opened ${place}`);
    else pane.app.terminals.activate(verdict.terminalId);
  } catch (error) {
    pane.app.notices.fail(`${place} could not be opened`, error);
  }
}
