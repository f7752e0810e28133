import type { ChatLine, ChatMessage, Conversation } from '../contract/chat/chat.ts';
import type { TurnUsage } from '../contract/chat/progress.ts';

/** A prompt of the person, and everything that came of it. Times are ms since 1970. */
export interface Turn {
  readonly conversation: Conversation;
  /** Id of the first message: the prompt, or the first message if no prompt was seen. */
  readonly id: string;
  readonly order: number;
  readonly messages: readonly ChatMessage[];
  readonly startMs: number;
  /** Time of the last change of its last message, but not after the next turn began. */
  readonly endMs: number;
  /** True if nothing more belongs to the turn: another turn follows, the agent waits for a prompt, or the conversation ended. */
  readonly isOver: boolean;
  /** True if the agent ended while it was working. */
  readonly isCutShort: boolean;
  /** Tokens from the agent's log; null if the log does not have exact figures. */
  readonly usage: TurnUsage | null;
}

const SAID: ReadonlySet<ChatMessage['kind']> = new Set(['user', 'model', 'toolCall', 'toolResult', 'permission']);
/** Kinds of messages that can begin a turn without a prompt. */
const BEGINS: ReadonlySet<ChatMessage['kind']> = new Set(['user', 'model', 'toolCall']);

/** Returns the turns of one conversation, oldest first. `lines` are in order and may include other conversations. History that an agent draws again is left out. */
export function turnsOf(conversation: Conversation, lines: readonly ChatLine[]): Turn[] {
  const own = lines.filter(({ conversationId }) => conversationId === conversation.id);
  const groups: ChatMessage[][] = [];
  for (const line of own) {
    if (!('kind' in line) || line.replayOf !== undefined || !SAID.has(line.kind)) continue;
    const last = groups.at(-1);
    if (line.kind === 'user' || (!last && BEGINS.has(line.kind))) groups.push([line]);
    else last?.push(line);
  }
  const state = lastState(own);
  const usage = new Map(own.flatMap((line) => ('type' in line && line.usage ? [[line.usage.turnId, line.usage]] : [])));
  return groups.flatMap((messages, at) => {
    const [first] = messages;
    if (!first) return [];
    const next = groups[at + 1]?.[0];
    const hasEnded = conversation.endedMs !== null;
    // An agent that answers at once is never seen at work, so its state may be older than the prompt.
    const isAnswered = state.order > first.order || messages.some(({ kind }) => kind === 'model');
    const isIdle = state.name === 'idle' && isAnswered && messages.every(({ final }) => final);
    const isLast = next === undefined;
    return [
      {
        conversation,
        ...{ id: first.id, order: first.order, messages },
        ...timesOf(messages, next?.startedMs ?? Number.POSITIVE_INFINITY),
        isOver: !isLast || hasEnded || isIdle,
        isCutShort: isLast && hasEnded && state.name === 'working' && state.order > first.order,
        usage: usage.get(first.id) ?? null,
      },
    ];
  });
}

/** Limits the end of a turn by the start of the next one, because a message may be read again long after its turn. */
function timesOf(messages: readonly ChatMessage[], nextMs: number): { startMs: number; endMs: number } {
  const startMs = Math.max(0, messages[0]?.startedMs ?? 0);
  const lastMs = messages.reduce((last, { updatedMs }) => Math.max(last, updatedMs), startMs);
  return { startMs, endMs: Math.max(startMs, Math.min(lastMs, nextMs)) };
}

function lastState(lines: readonly ChatLine[]): { name: string; order: number } {
  const line = lines.findLast((one) => 'type' in one && one.type === 'stateChanged');
  const name = line && 'type' in line ? (line.state ?? 'unknown') : 'unknown';
  return { name, order: line?.order ?? Number.NEGATIVE_INFINITY };
}
