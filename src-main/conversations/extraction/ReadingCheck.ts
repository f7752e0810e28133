import type { ChatEvent, ChatMessage, Conversation } from '../../contract/chat/chat.ts';

/** A part of the log in which the agent answered, but nobody was seen to ask. */
interface Unasked {
  readonly after: number;
  readonly before: number;
}

const ASKED: readonly ChatMessage['kind'][] = ['user', 'command'];
const ANSWERED: readonly ChatMessage['kind'][] = ['model', 'toolCall'];
/** A program that was started by mistake, or with a wrong option, ends earlier. */
const LONG_RUN_MS = 5000;
/** States that show that the agent's screen was understood: it waits for a prompt, works, or asks something. */
const UNDERSTOOD: readonly string[] = ['idle', 'working', 'needs_approval', 'needs_input'];

/**
 * Checks that the messages read of a conversation can be all of it: an agent that worked was asked something, and an agent that ran showed
 * something. An agent's screens change with its version, and an extractor that then finds nothing must not look like silence.
 */
export class ReadingCheck {
  #isUnderstood = false;
  #hasWorked = false;
  #hasSaid = false;
  #isResting = false;
  #beganMs = 0;
  #ranMs: number | null = null;
  /** Order of the last line of the turn before, and of the first answer since. */
  #turnAfter = Number.NEGATIVE_INFINITY;
  #firstAnswer: number | null = null;
  #isAsked = false;
  #unasked: Unasked[] = [];

  /** `isNew`: no version of this message was taken before. */
  take({ kind, order, replayOf }: ChatMessage, isNew: boolean): void {
    if (replayOf !== undefined || !isNew) return;
    if (ASKED.includes(kind)) {
      this.#hasSaid = true;
      this.#isAsked ||= order > this.#turnAfter;
      this.#unasked = this.#unasked.filter(({ after, before }) => order <= after || order >= before);
    } else if (ANSWERED.includes(kind)) {
      this.#hasSaid = true;
      if (order > this.#turnAfter) this.#firstAnswer = Math.min(this.#firstAnswer ?? order, order);
    }
  }

  note({ type, state, order, atMs }: ChatEvent): void {
    if (type === 'cli:newSession') this.#beganMs = atMs;
    if (type === 'cli:exit' || type === 'cli:clear') {
      this.#ranMs = atMs - this.#beganMs;
      if (!this.#isResting) this.#endTurn(order);
    }
    if (type !== 'stateChanged' || state === undefined || !UNDERSTOOD.includes(state)) return;
    this.#isUnderstood = true;
    this.#hasWorked ||= state === 'working';
    // The last words of a turn may be read only when the agent already rests.
    if (state === 'working' && this.#isResting) this.#firstAnswer = null;
    if (state === 'idle' && !this.#isResting) this.#endTurn(order);
    this.#isResting = state === 'idle';
  }

  /** Why the conversation may be incomplete; null if nothing suggests that. */
  get doubt(): NonNullable<Conversation['doubt']> | null {
    const isStrange = !this.#isUnderstood && this.#ranMs !== null && this.#ranMs >= LONG_RUN_MS;
    const hasAnswered = this.#hasWorked && (this.#isResting || this.#ranMs !== null);
    if (!this.#hasSaid && (isStrange || hasAnswered)) return 'unread';
    return this.#unasked.length > 0 ? 'unasked' : null;
  }

  #endTurn(order: number): void {
    if (this.#firstAnswer !== null && !this.#isAsked)
      this.#unasked.push({ after: this.#turnAfter, before: this.#firstAnswer });
    this.#turnAfter = order;
    this.#firstAnswer = null;
    this.#isAsked = false;
  }
}
