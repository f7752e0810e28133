import type { Block } from '../../../src-main/contract/block.ts';
import type { Action } from '../../app/AppState.svelte.ts';
import { strings } from '../../app/strings.ts';
import { exitMeaning } from '../card/exitMeaning.ts';
import type { BlockPane } from './BlockPane.svelte.ts';

type Test = (block: Block) => boolean;

/** The next card of a kind before or after the one at `fromId`. Without `fromId`, before starts at the newest card. */
export function nextOfKind(
  blocks: readonly Block[],
  fromId: string | null,
  by: 1 | -1,
  isWanted: Test,
): Block | undefined {
  const at = blocks.findIndex(({ id }) => id === fromId);
  if (by === 1) return at < 0 ? undefined : blocks.slice(at + 1).find(isWanted);
  return blocks.slice(0, at < 0 ? blocks.length : at).findLast(isWanted);
}

/** Jumps to cards of a kind, as actions. */
export function jumpActions(pane: BlockPane): Action[] {
  const group = strings.app.groups.card;
  const words = strings.cards.list;
  const when = () => pane.terminal.mode === 'blocks' && !pane.live.isAlt;
  const isFailed: Test = (block) => exitMeaning(block).tone === 'failed';
  const isBookmarked: Test = ({ bookmarked }) => bookmarked;
  const to = (by: 1 | -1, isWanted: Test, none: string) => () => void jump(pane, by, isWanted, none);
  return [
    {
      id: 'card.previousFailed',
      title: words.previousFailed,
      group,
      keys: 'Alt+PageUp',
      when,
      run: to(-1, isFailed, words.noFailed),
    },
    {
      id: 'card.nextFailed',
      title: words.nextFailed,
      group,
      keys: 'Alt+PageDown',
      when,
      run: to(1, isFailed, words.noFailed),
    },
    {
      id: 'card.previousBookmark',
      title: words.previousBookmark,
      group,
      keys: 'Mod+Alt+PageUp',
      when,
      run: to(-1, isBookmarked, words.noBookmark),
    },
    {
      id: 'card.nextBookmark',
      title: words.nextBookmark,
      group,
      keys: 'Mod+Alt+PageDown',
      when,
      run: to(1, isBookmarked, words.noBookmark),
    },
  ];
}

/** Loads older pages until it finds a card. */
async function jump(pane: BlockPane, by: 1 | -1, isWanted: Test, none: string): Promise<void> {
  const { list } = pane;
  const fromId = list.cursorId;
  let found = nextOfKind(list.blocks, fromId, by, isWanted);
  while (!found && by === -1 && list.hasOlder && list.fault === null) {
    const before = list.blocks.length;
    await list.loadOlder();
    if (list.blocks.length === before) break;
    found = nextOfKind(list.blocks, fromId, by, isWanted);
  }
  if (found) await pane.choose(found);
  else pane.app.notices.say(none);
}
