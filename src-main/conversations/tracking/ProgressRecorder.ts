import { isDeepStrictEqual } from 'node:util';
import type { ChatEvent, ChatLine } from '../../contract/chat/chat.ts';
import {
  type ChatPlan,
  chatPlan,
  MAX_SUB_AGENTS,
  oneLine,
  type PlanSource,
  type SubAgent,
  type TurnUsage,
} from '../../contract/chat/progress.ts';
import type { Moment } from '../extraction/merge/Moment.ts';
import type { PtyChatSession } from '../extraction/PtyChatSession.ts';

const NO_FIGURES = { input: null, output: null, cacheRead: null, cacheWrite: null } as const;

/**
 * Records changes of an agent's plan, of its sub-agents and of the usage of turns in one conversation. The agent log has the exact plan, so after
 * the log's first list the screen's plan does not count any more. The same list read twice adds nothing.
 */
export class ProgressRecorder {
  readonly #session: PtyChatSession;
  readonly #conversationId: string;
  readonly #startedMs: number;
  #plan: ChatPlan | null;
  /** The last event of each sub-agent, by the sub-agent's id. */
  readonly #subAgents = new Map<string, ChatEvent>();
  /** The last figures of each turn, by its id. */
  readonly #usage = new Map<string, TurnUsage>();

  constructor(session: PtyChatSession, { conversationId, atMs }: Pick<ChatEvent, 'conversationId' | 'atMs'>) {
    this.#session = session;
    this.#conversationId = conversationId;
    this.#startedMs = atMs;
    const own = (event: ChatEvent): boolean => event.type === 'planChanged' && event.conversationId === conversationId;
    this.#plan = session.events.findLast(own)?.plan ?? null;
    for (const event of session.events) {
      if (event.conversationId !== conversationId) continue;
      if (event.subAgent) this.#subAgents.set(event.subAgent.id, event);
      if (event.usage) this.#usage.set(event.usage.turnId, event.usage);
    }
  }

  planned(source: PlanSource | null, from: ChatPlan['from'], moment: Moment): ChatLine[] {
    if (source === null || (from === 'screen' && this.#plan?.from === 'log')) return [];
    const plan = source.isPart || source.isCut ? this.#doubted(source, from) : chatPlan(source, from);
    if (plan === null) return [];
    if (isDeepStrictEqual(plan, this.#plan) || (plan.items.length === 0 && this.#plan === null)) return [];
    this.#plan = plan;
    return this.#session.noted({ type: 'planChanged', conversationId: this.#conversationId, plan }, moment);
  }

  /** A part adds nothing to a list that has the same items. The end of another list than the known one marks the known one as a part. */
  #doubted(source: PlanSource, from: ChatPlan['from']): ChatPlan | null {
    const plan = chatPlan(source, from);
    const known = this.#plan;
    if (from === 'log') return plan;
    const end = known?.items.slice(source.isCut ? -plan.items.length : 0);
    if (isDeepStrictEqual(end, plan.items)) return null;
    return source.isCut ? known && { ...known, isPart: true } : plan;
  }

  /** A turn that is not in `turns` has no exact figures any more: it has gone on, and the log does not show how. */
  used(turns: readonly TurnUsage[], moment: Moment): ChatLine[] {
    const ids = new Set(turns.map(({ turnId }) => turnId));
    const gone = [...this.#usage.keys()].filter((turnId) => !ids.has(turnId));
    return [...turns, ...gone.map((turnId) => ({ turnId, ...NO_FIGURES }))].flatMap((usage) => {
      if (isDeepStrictEqual(usage, this.#usage.get(usage.turnId))) return [];
      this.#usage.set(usage.turnId, usage);
      return this.#session.noted({ type: 'usageChanged', conversationId: this.#conversationId, usage }, moment);
    });
  }

  /** `all`: sub-agents in the order in which they were started. Those started before this conversation belong to an earlier one. */
  delegated(all: readonly SubAgent[], moment: Moment): ChatLine[] {
    return withStopped(all)
      .filter(({ startedMs }) => startedMs >= this.#startedMs)
      .slice(0, MAX_SUB_AGENTS)
      .flatMap(({ title, kind, ...rest }) => {
        const subAgent = { ...rest, title: oneLine(title), kind: oneLine(kind) };
        const known = this.#subAgents.get(subAgent.id);
        if (known && isDeepStrictEqual(known.subAgent, subAgent)) return [];
        const place = known && { id: known.id, order: known.order };
        const own = { type: 'subAgentChanged', conversationId: this.#conversationId, subAgent, ...place } as const;
        const lines = this.#session.noted(own, moment);
        for (const line of lines) if ('type' in line) this.#subAgents.set(subAgent.id, line);
        return lines;
      });
  }
}

/** Stops working sub-agents below a stopped one: logs do not always say that they ended. */
function withStopped(all: readonly SubAgent[]): SubAgent[] {
  const byId = new Map(all.map((one) => [one.id, one]));
  return all.map((one) => {
    if (one.state !== 'working') return one;
    const seen = new Set<SubAgent>();
    let above: SubAgent | undefined = one;
    while (above && !seen.has(above) && above.state !== 'stopped') {
      seen.add(above);
      above = byId.get(above.parentId ?? '');
    }
    return above?.state === 'stopped' ? { ...one, state: 'stopped', sinceMs: above.sinceMs } : one;
  });
}
