import * as z from 'zod/mini';
import { Count } from '../ids.ts';

/** Items of a plan to keep with their texts; all are counted. */
export const MAX_PLAN_ITEMS = 200;
/** Characters to keep of an item's text, or of a sub-agent's title. */
const MAX_TEXT_CHARS = 500;

/** One item of an agent's plan. `dropped`: the agent gave it up, so it is not counted. */
export const PlanItem = z.object({ text: z.string(), state: z.enum(['open', 'active', 'done', 'dropped']) });
export type PlanItem = z.infer<typeof PlanItem>;

/** An agent's plan or to-do list as it is now. */
export const ChatPlan = z.object({
  /** In the agent's order, at most `MAX_PLAN_ITEMS`. */
  items: z.array(PlanItem),
  /** Counts of all items, without dropped ones. */
  done: Count,
  total: Count,
  /** Its source: the agent log or the screen. */
  from: z.enum(['log', 'screen']),
  /** Items may be missing or out of date: a change could not be read, or the screen does not show the whole list. */
  isPart: z.optional(z.boolean()),
});
export type ChatPlan = z.infer<typeof ChatPlan>;

/** Sub-agents to keep per conversation. */
export const MAX_SUB_AGENTS = 200;

/** An agent that another agent started for a part of its work, read from that agent's log. */
export const SubAgent = z.object({
  /** Unique in its conversation. */
  id: z.string(),
  /** The sub-agent that started it; null: the agent itself did. */
  parentId: z.nullable(z.string()),
  /** Its task in a few words of the agent; '' if there are none. */
  title: z.string(),
  /** The agent's name for its kind, such as `general-purpose`; '' if there is none. */
  kind: z.string(),
  /** `stopped`: interrupted, or ended with its agent. */
  state: z.enum(['working', 'done', 'failed', 'stopped']),
  startedMs: z.number(),
  /** Time since which it is in that state. */
  sinceMs: z.number(),
});
export type SubAgent = z.infer<typeof SubAgent>;

/** Tokens of one turn, from the agent's log. Null: the log does not have the figure for every answer of the turn. */
export const TurnUsage = z.object({
  /** Id of the turn's prompt. */
  turnId: z.string(),
  /** All input tokens, including those that were read from a cache or written to it. */
  input: z.nullable(Count),
  output: z.nullable(Count),
  cacheRead: z.nullable(Count),
  cacheWrite: z.nullable(Count),
});
export type TurnUsage = z.infer<typeof TurnUsage>;

/** A source's items of a plan. */
export interface PlanSource {
  readonly items: readonly PlanItem[];
  readonly isPart: boolean;
  /** The beginning of the list is not on the screen: these are its last items, of a known list or of a newer one. */
  readonly isCut?: boolean;
}

export function chatPlan({ items, isPart }: PlanSource, from: ChatPlan['from']): ChatPlan {
  const counted = items.filter(({ state }) => state !== 'dropped');
  return {
    items: items.slice(0, MAX_PLAN_ITEMS).map(({ text, state }) => ({ text: oneLine(text), state })),
    done: counted.filter(({ state }) => state === 'done').length,
    total: counted.length,
    from,
    ...(isPart && { isPart }),
  };
}

/** Formats text as one line: without line breaks and control characters, and cut. */
export function oneLine(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length <= MAX_TEXT_CHARS ? line : `${characters.slice(0, MAX_TEXT_CHARS - 1).join('')}…`;
}
