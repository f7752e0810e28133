import type { ChatPlan } from './progress.ts';

/** `3 of 7`; `3 of 7?` where items may be missing or out of date. */
export function planCount({ done, total, isPart }: Pick<ChatPlan, 'done' | 'total' | 'isPart'>): string {
  return `${done} of ${total}${isPart ? '?' : ''}`;
}

/** `3 of 7 · Write the tests`: the count, and the active item. */
export function planWords(plan: ChatPlan): string {
  const active = plan.items.find(({ state }) => state === 'active');
  return active ? `${planCount(plan)} · ${active.text}` : planCount(plan);
}
