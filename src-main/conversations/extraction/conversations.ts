import type { ChatEvent, ChatLine, ChatMessage, Conversation, StateEvidence } from '../../contract/chat/chat.ts';
import type { SubAgent } from '../../contract/chat/progress.ts';
import { ReadingCheck } from './ReadingCheck.ts';

const MAX_TITLE_CHARS = 120;

/** Messages that the agent's own log could confirm. */
const VERIFIABLE: readonly ChatMessage['kind'][] = ['user', 'model', 'toolCall'];

/** Evidence that an agent has ended if its end was not seen. */
const UNSEEN: StateEvidence = { by: 'process', rule: 'gone with its terminal; its end was not seen', line: '' };

/** Flags of a counted message, as bits and not an object, because each message ever recorded has them. */
const VERIFIABLE_BIT = 1;
const VERIFIED_BIT = 2;

/** Folds the lines of a chat.jsonl, in the order in which they were written, into its conversations. */
export class ConversationList {
  readonly #labelOf: (agent: string) => string;
  readonly #isChecked: (agent: string, version: string) => boolean;
  readonly #byId = new Map<string, Conversation>();
  /** By conversation and message. */
  readonly #counted = new Map<string, Map<string, number>>();
  readonly #checks = new Map<string, ReadingCheck>();
  /** Title of each conversation by its first prompt, with the order of that prompt. */
  readonly #asked = new Map<string, { title: string; order: number }>();
  /** Titles that the person gave. */
  readonly #named = new Map<string, string>();

  /** `labelOf`: the agent's name for people; `isChecked`: whether the agent's screens of that version are checked. */
  constructor(
    labelOf: (agent: string) => string,
    isChecked: (agent: string, version: string) => boolean = () => false,
  ) {
    this.#labelOf = labelOf;
    this.#isChecked = isChecked;
  }

  /** In the order in which they began. */
  get all(): Conversation[] {
    return [...this.#byId.values()];
  }

  get(id: string): Conversation | undefined {
    return this.#byId.get(id);
  }

  /** Returns the conversation after this line. A message without a begun conversation creates one without an agent. */
  apply(line: ChatLine): Conversation {
    const before = this.#byId.get(line.conversationId) ?? this.#blank(line);
    const isNew = 'kind' in line && !this.#counted.get(before.id)?.has(line.id);
    const told = 'kind' in line ? this.#withMessage(before, line) : this.#withEvent(before, line);
    const after = this.#checked(this.#versioned(told, versionIn(line)), line, isNew);
    this.#byId.set(line.conversationId, after);
    return after;
  }

  #blank(line: ChatLine): Conversation {
    const atMs = 'kind' in line ? line.startedMs : line.atMs;
    return {
      id: line.conversationId,
      terminalId: line.terminalId,
      agent: '',
      label: this.#labelOf(''),
      title: '',
      cwd: null,
      blockId: null,
      parentId: null,
      resumeId: null,
      startedMs: atMs,
      updatedMs: atMs,
      endedMs: null,
      messages: 0,
      verified: 0,
      verifiable: 0,
      state: 'unknown',
      evidence: null,
    };
  }

  #versioned(conversation: Conversation, version: string | null): Conversation {
    const own = version ?? conversation.version;
    if (!own) return conversation;
    return { ...conversation, version: own, isVersionChecked: this.#isChecked(conversation.agent, own) };
  }

  #checked({ doubt: _, ...conversation }: Conversation, line: ChatLine, isNew: boolean): Conversation {
    const check = this.#checks.get(conversation.id) ?? new ReadingCheck();
    this.#checks.set(conversation.id, check);
    if ('kind' in line) check.take(line, isNew);
    else check.note(line);
    const { doubt } = check;
    return doubt === null ? conversation : { ...conversation, doubt };
  }

  #withMessage(before: Conversation, message: ChatMessage): Conversation {
    const counted = this.#counted.get(before.id) ?? new Map<string, number>();
    this.#counted.set(before.id, counted);
    if (message.replayOf !== undefined) return { ...before, updatedMs: Math.max(before.updatedMs, message.updatedMs) };
    const known = counted.get(message.id) ?? 0;
    const isVerifiable = message.final && VERIFIABLE.includes(message.kind);
    const own = (isVerifiable ? VERIFIABLE_BIT : 0) | (isVerifiable && message.verified ? VERIFIED_BIT : 0);
    counted.set(message.id, own);
    const added = (bit: number): number => Number((own & bit) !== 0) - Number((known & bit) !== 0);
    return {
      ...before,
      title: this.#title(before, message),
      updatedMs: Math.max(before.updatedMs, message.updatedMs),
      messages: counted.size,
      verified: before.verified + added(VERIFIED_BIT),
      verifiable: before.verifiable + added(VERIFIABLE_BIT),
    };
  }

  #title({ id }: Conversation, { kind, text, order }: ChatMessage): string {
    if (kind === 'user' && order <= (this.#asked.get(id)?.order ?? Number.POSITIVE_INFINITY))
      this.#asked.set(id, { title: titleIn(text), order });
    return this.#titleOf(id);
  }

  #titleOf(id: string): string {
    return this.#named.get(id) || (this.#asked.get(id)?.title ?? '');
  }

  #withEvent(before: Conversation, event: ChatEvent): Conversation {
    const updatedMs = Math.max(before.updatedMs, event.atMs);
    switch (event.type) {
      case 'cli:newSession': {
        const agent = event.agent ?? before.agent;
        if (event.title !== undefined) this.#named.set(before.id, titleIn(event.title));
        return {
          ...before,
          agent,
          title: this.#titleOf(before.id),
          label: this.#labelOf(agent),
          cwd: event.cwd ?? before.cwd,
          blockId: event.blockId ?? before.blockId,
          parentId: event.parentId ?? before.parentId,
          startedMs: event.atMs,
          updatedMs,
        };
      }
      case 'cli:exit':
        return {
          ...before,
          endedMs: event.atMs,
          updatedMs,
          resumeId: event.resumeId ?? before.resumeId,
          state: 'exited',
          evidence: event.isUnseen ? UNSEEN : null,
          ...stopped(before, event.atMs),
        };
      case 'stateChanged':
        return { ...before, state: event.state ?? 'unknown', evidence: event.evidence ?? null };
      case 'planChanged':
        return planned(before, event);
      case 'subAgentChanged':
        return delegated(before, event);
      case 'cli:clear':
        return {
          ...{ ...before, endedMs: event.atMs, updatedMs, state: 'cleared', evidence: null },
          ...stopped(before, event.atMs),
        };
      case 'screenCleared': // concerns the terminal
      case 'usageChanged':
        return before;
      default:
        return { ...before, updatedMs };
    }
  }
}

function titleIn(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  const characters = [...line];
  return characters.length <= MAX_TITLE_CHARS ? line : `${characters.slice(0, MAX_TITLE_CHARS - 1).join('')}…`;
}

/** An empty list removes the plan. */
function planned({ plan: _, ...before }: Conversation, { plan, atMs }: ChatEvent): Conversation {
  const updatedMs = Math.max(before.updatedMs, atMs);
  return plan && plan.items.length > 0 ? { ...before, updatedMs, plan } : { ...before, updatedMs };
}

/** A working sub-agent that the log first shows after its conversation has ended has ended with it. */
function delegated(before: Conversation, { subAgent: told, atMs }: ChatEvent): Conversation {
  if (!told) return before;
  const isOver = before.endedMs !== null && told.state === 'working';
  const subAgent: SubAgent = isOver ? { ...told, state: 'stopped', sinceMs: before.endedMs ?? atMs } : told;
  const known = before.subAgents ?? [];
  const subAgents = known.some(({ id }) => id === subAgent.id)
    ? known.map((one) => (one.id === subAgent.id ? subAgent : one))
    : [...known, subAgent];
  return { ...before, subAgents, updatedMs: Math.max(before.updatedMs, atMs) };
}

/** Sub-agents end with their conversation. */
function stopped({ subAgents }: Conversation, sinceMs: number): Pick<Conversation, 'subAgents'> {
  if (!subAgents) return {};
  return { subAgents: subAgents.map((one) => (one.state === 'working' ? { ...one, state: 'stopped', sinceMs } : one)) };
}

const VERSION = /\bv?(\d+\.\d+\.\d+)\b/;

/** The agent's version in a line: from its package, or from its welcome. */
function versionIn(line: ChatLine): string | null {
  if ('type' in line) return line.version ?? null;
  return line.kind === 'welcome' ? (VERSION.exec(line.text)?.[1] ?? null) : null;
}
