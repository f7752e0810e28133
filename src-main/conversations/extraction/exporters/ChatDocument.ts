import type { ChatEvent, ChatKind, ChatLine, ChatMessage, Conversation } from '../../../contract/chat/chat.ts';
import { planWords } from '../../../contract/chat/planWords.ts';

/** One conversation as it is written out. */
export interface ChatDocument {
  readonly conversation: Conversation;
  /** Its messages and events, each in its latest version, in the log's order. */
  readonly lines: readonly ChatLine[];
  readonly exportedMs: number;
  /** IANA name of the time zone of times that people read. */
  readonly timeZone: string;
  /** Number of redacted secrets; null if the text was not searched for secrets. */
  readonly redactions: number | null;
}

/** A format. Pure: the same document gives the same text. */
export interface IChatExporter {
  /** The value of `--format`. */
  readonly name: string;
  /** One line for people. */
  readonly description: string;
  /** Without the dot. */
  readonly extension: string;
  readonly mediaType: string;
  write(document: ChatDocument): string;
}

export function messagesOf({ lines }: ChatDocument): ChatMessage[] {
  return lines.filter((line): line is ChatMessage => 'kind' in line);
}

export function eventsOf({ lines }: ChatDocument): ChatEvent[] {
  return lines.filter((line): line is ChatEvent => 'type' in line);
}

const NAMES: Readonly<Record<Exclude<ChatKind, 'user' | 'model'>, string>> = {
  welcome: 'Welcome',
  toolCall: 'Tool',
  toolResult: 'Result',
  command: 'Command',
  permission: 'Asks for permission',
  notice: 'Notice',
  exit: 'Exit',
};

/** The speaker: the person (or the client that used the person's keys), the agent, or the kind of remark. */
export function speakerOf(message: ChatMessage, { label }: Conversation): string {
  if (message.kind === 'model') return label;
  if (message.kind !== 'user') return NAMES[message.kind];
  return message.actor === 'user' ? 'User' : message.actor.replace(/^agent:/, '');
}

/** How a question was answered, for people; null for other messages and for an open question. */
export function verdictOf({ kind, question }: ChatMessage): string | null {
  if (kind !== 'permission' || !question?.verdict) return null;
  const { choice, by } = question.verdict;
  const who = by === null ? '' : by === 'user' ? ' by the user' : ` by ${by.replace(/^agent:/, '')}`;
  return choice === null ? `Answered${who}, choice not seen` : `Answered${who}: ${choice}`;
}

const DIVIDERS: Readonly<Partial<Record<ChatEvent['type'], string>>> = {
  'cli:newSession': 'The agent was started',
  'cli:exit': 'The agent ended',
  'cli:clear': 'The conversation was cleared',
  'cli:compact': 'The conversation was compacted',
};

/** The text of an event between messages, for people; null for events that only programs need. */
export function dividerOf({ type, plan, subAgent }: ChatEvent): string | null {
  if (type === 'planChanged' && plan) return plan.items.length === 0 ? 'Plan cleared' : `Plan: ${planWords(plan)}`;
  if (subAgent) return `Sub-agent, ${subAgent.state}: ${subAgent.title || subAgent.kind || subAgent.id}`;
  return DIVIDERS[type] ?? null;
}
