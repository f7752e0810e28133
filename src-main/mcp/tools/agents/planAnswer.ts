import type { ChatPlan } from '../../../contract/chat/progress.ts';
import { cutMarked, withoutCutWord } from '../../../redaction/cutText.ts';
import { CUT_CHARS } from '../chats/chatsList.ts';

const MAX_ITEMS = 50;
const MAX_ITEM_CHARS = 300;

/** Our own facts about a plan. `from_screen`: the agent's own log does not confirm it. `is_part`: items may be missing or out of date. */
export function planFacts({ done, total, from, isPart }: ChatPlan): object {
  return { done, total, ...(from === 'screen' && { from_screen: true }), ...(isPart && { is_part: true }) };
}

/** The texts beside `planFacts`: the item that the agent is at. */
export function planTold({ items }: ChatPlan): object {
  const active = items.find(({ state }) => state === 'active');
  return active ? { active: withoutCutWord(active.text, CUT_CHARS) } : {};
}

/** The whole list if it fits, else the items around the one that the agent is at, with the counts of those left out. */
export function wholePlan(plan: ChatPlan): { facts: object; told: object } {
  const { items, total } = plan;
  const active = items.findIndex(({ state }) => state === 'active');
  const from = Math.max(0, Math.min(active - MAX_ITEMS / 2, items.length - MAX_ITEMS));
  const shown = items.slice(from, from + MAX_ITEMS);
  const unkept = total - items.filter(({ state }) => state !== 'dropped').length;
  const after = items.length - from - shown.length + unkept;
  return {
    facts: {
      ...planFacts(plan),
      ...(from > 0 && { items_left_out_before: from }),
      ...(after > 0 && { items_left_out_after: after }),
    },
    told: { items: shown.map(({ text, state }) => ({ text: cutMarked(text, MAX_ITEM_CHARS), state })) },
  };
}
