import type { Attachment } from 'svelte/attachments';
import { asksFirst } from '../../app/openAddress.ts';
import { isOpening } from '../../terminal/createXterm.ts';
import type { BlockPane } from '../list/BlockPane.svelte.ts';
import type { PieceLink } from './linePieces.ts';

type LinkKind = PieceLink['kind'];

/** What a click with the modifier does to each kind of link, and what its tooltip says of that. */
const LINK_ACTIONS: Readonly<
  Record<LinkKind, { words: string; run(pane: BlockPane, target: string, link: HTMLElement): Promise<void> }>
> = {
  url: { words: 'opens it', run: (pane, target, link) => pane.openLink(target, link.dataset.shown !== 'true') },
  path: { words: 'opens it in your editor', run: openPlace },
};

export function linkTip({ kind, target, shown }: PieceLink): string {
  const asks = kind === 'url' && asksFirst(target, !shown) ? ', after a question' : '';
  return `${target}\nCtrl or Cmd and click ${LINK_ACTIONS[kind].words}${asks}`;
}

/** Clicks on links of finished output: with the modifier an address is opened and a place is shown in the editor. Plain clicks select. */
export function takeLinkClicks(pane: BlockPane): Attachment<HTMLElement> {
  return (body) => {
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element | null)?.closest<HTMLElement>('[data-link]');
      const target = link?.dataset.link;
      if (!link || target === undefined || !isOpening(event)) return;
      event.preventDefault();
      void LINK_ACTIONS[link.dataset.kind === 'path' ? 'path' : 'url'].run(pane, target, link);
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
