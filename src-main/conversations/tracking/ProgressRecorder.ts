import { isDeepStrictEqual } from 'node:util';
import type { ChatEvent, ChatLine } from '../../contract/chat/chat.ts';
import { type ChatPlan, chatPlan, type PlanSource } from '../../contract/chat/progress.ts';
import type { Moment } from '../extraction/merge/Moment.ts';
import type { PtyChatSession } from '../extraction/PtyChatSession.ts';

/**
 * Writes what changed of an agent's plan in one conversation. The agent's own log has it exactly, so from the first list of the log on the screen's counts no
 * more. The same list read twice adds nothing.
 */
export class ProgressRecorder {
  readonly #session: PtyChatSession;
  readonly #conversationId: string;
  #plan: ChatPlan | null;

  constructor(session: PtyChatSession, { conversationId }: Pick<ChatEvent, 'conversationId'>) {
    this.#session = session;
    this.#conversationId = conversationId;
    const own = (event: ChatEvent): boolean => event.type === 'planChanged' && event.conversationId === conversationId;
    this.#plan = session.events.findLast(own)?.plan ?? null;
  }

  planned(source: PlanSource | null, from: ChatPlan['from'], moment: Moment): ChatLine[] {
    if (source === null || (from === 'screen' && this.#plan?.from === 'log')) return [];
    const plan = chatPlan(source, from);
    if (isDeepStrictEqual(plan, this.#plan) || (plan.items.length === 0 && this.#plan === null)) return [];
    this.#plan = plan;
    return this.#session.noted({ type: 'planChanged', conversationId: this.#conversationId, plan }, moment);
  }
}
