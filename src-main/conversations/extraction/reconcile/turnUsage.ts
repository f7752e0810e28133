import type { ChatMessage } from '../../../contract/chat/chat.ts';
import type { TurnUsage } from '../../../contract/chat/progress.ts';
import type { LogTalk } from './LogMessage.ts';
import type { PlacedUsage, UsageEntry } from './LogUsage.ts';
import { pairsOf } from './reconcile.ts';
import { isSameText } from './sameText.ts';
import { type ChatUnit, chatUnits, type LogUnit, logUnits } from './units.ts';

/** A turn of the conversation: its prompt, what the agent said and did, and the prompt of the next turn. */
interface Span {
  readonly prompt: ChatMessage;
  readonly last: ChatMessage | undefined;
  readonly next: ChatMessage | undefined;
}

/**
 * Returns the usage of each turn of a conversation whose figures are exact. A turn has none unless the log has its prompt, its last answer with the
 * usage of that answer, and the next prompt if there is one: then the log between the prompts is the whole turn.
 */
export function usageOfTurns(messages: readonly ChatMessage[], { messages: source, usage }: LogTalk): TurnUsage[] {
  if (usage.length === 0) return [];
  const chat = chatUnits(messages);
  const log = logUnits(source);
  const places = new Map<ChatMessage, { at: number; isSame: boolean }>();
  for (const [a, b] of pairsOf(chat, log)) {
    const [unit, other] = [chat[a] as ChatUnit, log[b] as LogUnit];
    places.set(unit.message, { at: b, isSame: isSameText(unit.text, other.text) });
  }
  return spansOf(messages).flatMap(({ prompt, last, next }) => {
    const begin = places.get(prompt);
    const end = next ? places.get(next) : { at: source.length, isSame: true };
    const said = last?.kind === 'model' ? places.get(last) : undefined;
    if (!begin?.isSame || !end?.isSame || !said) return [];
    const own = usage.filter(({ from }) => from > begin.at && from <= end.at);
    return isWhole(own, said.at) ? [{ turnId: prompt.id, ...sumOf(own.map(({ entry }) => entry)) }] : [];
  });
}

/** The turns that begin with a prompt. History that an agent draws again belongs to turns of another conversation. */
function spansOf(messages: readonly ChatMessage[]): Span[] {
  const prompts = messages.flatMap((message, at) => (message.kind === 'user' ? [at] : []));
  return prompts.flatMap((at, n) => {
    const prompt = messages[at] as ChatMessage;
    if (prompt.replayOf !== undefined) return [];
    const next = prompts[n + 1];
    const last = messages.slice(at, next).findLast(({ kind }) => kind === 'model' || kind === 'toolCall');
    return [{ prompt, last, next: next === undefined ? undefined : messages[next] }];
  });
}

/** Whether every answer is complete, and the last one has its usage. Otherwise more would come, or an interrupted answer is missing. */
function isWhole(own: readonly PlacedUsage[], lastSaid: number): boolean {
  return own.every(({ entry }) => entry.isWhole) && own.some(({ to }) => to > lastSaid);
}

/** A sum is null if one answer lacks the figure, or has one that is no exact count. */
function sumOf(entries: readonly UsageEntry[]): Omit<TurnUsage, 'turnId'> {
  const sum = (figure: 'allInput' | 'output' | 'cacheRead' | 'cacheWrite'): number | null => {
    const figures = entries.map(({ [figure]: one }) => one ?? Number.NaN);
    const all = figures.reduce((total, one) => total + one, 0);
    return [...figures, all].every(Number.isSafeInteger) ? all : null;
  };
  return { input: sum('allInput'), output: sum('output'), cacheRead: sum('cacheRead'), cacheWrite: sum('cacheWrite') };
}
