import type { Block } from '../../../src-main/contract/block.ts';
import type { BlockPane } from '../list/BlockPane.svelte.ts';
import type { ExitMeaning } from './exitMeaning.ts';

export interface CardBadge {
  /** No two badges of a card have the same. */
  text: string;
  title: string;
  /** Its class. */
  look?: string;
  /** What pressing it does; without one it only tells. */
  actionId?: string;
}

/** The badges of a card, in their order; none of a plain command that went well. */
export function cardBadges(block: Block, meaning: ExitMeaning, pane: BlockPane): CardBadge[] {
  const badges: CardBadge[] = [];
  if (meaning.badge) badges.push({ text: meaning.badge, title: meaning.label, look: meaning.tone });
  if (block.actor.startsWith('agent:'))
    badges.push({
      text: `agent: ${block.actor.slice('agent:'.length)}`,
      title: 'Run by an agent, not by you',
      look: 'agent',
    });
  if (pane.app.chats.ofBlock(block.id))
    badges.push({
      text: 'conversation',
      title: 'What was said here, in the conversation',
      look: 'nested',
      actionId: 'block.conversation',
    });
  if (!block.trusted && block.kind === 'command')
    badges.push({
      text: 'unverified',
      title: 'Reported without the shell’s own mark, so its text and result are a claim',
    });
  if (block.textSource === 'screen')
    badges.push({
      text: 'as on screen',
      title: 'The text was read from the screen, because the shell did not tell it',
    });
  if (block.nested) badges.push(nestedBadge(block, block.nested, pane));
  if (block.ephemeral)
    badges.push({ text: 'not recorded', title: 'Started with a space: on this card only, kept nowhere' });
  return badges;
}

function nestedBadge(block: Block, nested: string, pane: BlockPane): CardBadge {
  const hasHook = pane.app.system.shells.some(({ name, integration }) => integration && name === nested);
  const title = `Commands given to this ${nested} are all on this card`;
  if (block.status !== 'running' || !hasHook) return { text: `nested ${nested}`, title };
  return {
    text: `nested ${nested} · make cards`,
    title: `${title}. Press to load the hook into it, for a card each.`,
    look: 'nested',
    actionId: 'block.joinNested',
  };
}
