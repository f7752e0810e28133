import type { Block } from '../../../src-main/contract/block.ts';
import { strings } from '../../app/strings.ts';
import type { BlockPane } from '../list/BlockPane.svelte.ts';
import type { ExitMeaning } from './exitMeaning.ts';

const words = strings.cards.badges;

export interface CardBadge {
  /** Unique among the badges of a card. */
  text: string;
  title: string;
  /** Its class. */
  look?: string;
  /** Id of the action that a press runs. Without one, the badge is not a button. */
  actionId?: string;
}

/** The badges of a card, in their order. A plain command that succeeded has no badges. */
export function cardBadges(block: Block, meaning: ExitMeaning, pane: BlockPane): CardBadge[] {
  const badges: CardBadge[] = [];
  if (meaning.badge) badges.push({ text: meaning.badge, title: meaning.label, look: meaning.tone });
  if (block.actor.startsWith('agent:'))
    badges.push({
      text: words.agent(block.actor.slice('agent:'.length)),
      title: words.agentTip,
      look: 'agent',
    });
  if (pane.app.chats.ofBlock(block.id))
    badges.push({
      text: words.conversation,
      title: words.conversationTip,
      look: 'nested',
      actionId: 'block.conversation',
    });
  if (!block.trusted && block.kind === 'command')
    badges.push({
      text: words.unverified,
      title: words.unverifiedTip,
    });
  if (block.textSource === 'screen')
    badges.push({
      text: words.fromScreen,
      title: words.fromScreenTip,
    });
  if (block.nested) badges.push(nestedBadge(block, block.nested, pane));
  if (block.ephemeral) badges.push({ text: words.notRecorded, title: words.notRecordedTip });
  return badges;
}

function nestedBadge(block: Block, nested: string, pane: BlockPane): CardBadge {
  const hasHook = pane.app.system.shells.some(({ name, integration }) => integration && name === nested);
  if (block.status !== 'running' || !hasHook) return { text: words.nested(nested), title: words.nestedTip(nested) };
  return {
    text: words.joinNested(nested),
    title: words.joinNestedTip(nested),
    look: 'nested',
    actionId: 'block.joinNested',
  };
}
