import type { Attachment } from 'svelte/attachments';
import { asksFirst } from '../../app/openAddress.ts';
import { strings } from '../../app/strings.ts';
import { isOpening } from '../../terminal/createXterm.ts';
import type { BlockPane } from '../list/BlockPane.svelte.ts';
import type { PieceLink } from './linePieces.ts';

type LinkKind = PieceLink['kind'];

/** The effect of a click with the modifier on each kind of link. */
const LINK_ACTIONS: Readonly<Record<LinkKind, (pane: BlockPane, target: string, link: HTMLElement) => Promise<void>>> =
  {
    url: (pane, target, link) => pane.openLink(target, link.dataset.shown !== 'true'),
    path: openPlace,
  };

export function linkTip({ kind, target, shown }: PieceLink): string {
  const { open, openAsking, openInEditor } = strings.cards.link;
  if (kind === 'path') return `${target}\n${openInEditor}`;
  return `${target}\n${asksFirst(target, !shown) ? openAsking : open}`;
}

/**
 * Handles clicks on links in finished output. With the modifier, an address opens and a file location is shown in the editor. Plain clicks select
 * text.
 */
export function takeLinkClicks(pane: BlockPane): Attachment<HTMLElement> {
  return (body) => {
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element | null)?.closest<HTMLElement>('[data-link]');
      const target = link?.dataset.link;
      if (!link || target === undefined || !isOpening(event)) return;
      event.preventDefault();
      void LINK_ACTIONS[link.dataset.kind === 'path' ? 'path' : 'url'](pane, target, link);
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
    if (!verdict.opened) pane.app.notices.fail(strings.cards.link.notOpened(verdict.reason));
    else if (verdict.terminalId === null) pane.app.notices.say(strings.cards.link.opened(place));
    else pane.app.terminals.activate(verdict.terminalId);
  } catch (error) {
    pane.app.notices.fail(strings.cards.link.failed(place), error);
  }
}
