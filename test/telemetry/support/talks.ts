import fc from 'fast-check';
import type { ChatEvent, ChatLine, ChatMessage, ChatTool, Conversation } from '../../../src-main/contract/chat/chat.ts';
import { ConversationList } from '../../../src-main/conversations/extraction/conversations.ts';

export const TERMINAL = 't1';
export const CONVERSATION = 'c1';

const provenance = { rawStart: 0, rawEnd: 0, seq: 0, extractor: 'drawn', extractorVersion: 1, confidence: 1 };

/** Lines of one conversation with growing orders and times; `at` is the first time. */
export class Talk {
  readonly lines: ChatLine[] = [];
  readonly #ids: { terminalId: string; conversationId: string };
  #atMs: number;

  constructor(atMs: number, ids = { terminalId: TERMINAL, conversationId: CONVERSATION }) {
    this.#atMs = atMs;
    this.#ids = ids;
    this.event({ type: 'cli:newSession', agent: 'claude', version: '2.1.0' });
  }

  get conversation(): Conversation {
    const list = new ConversationList(() => 'Claude Code');
    for (const line of this.lines) list.apply(line);
    const found = list.get(this.#ids.conversationId);
    if (!found) throw new Error('no line was written');
    return found;
  }

  say(kind: ChatMessage['kind'], text: string, more: Partial<ChatMessage> = {}): this {
    const startedMs = this.#tick();
    this.lines.push({
      ...this.#ids,
      id: `${this.#ids.conversationId}-m${this.lines.length}`,
      order: this.lines.length,
      kind,
      text,
      final: true,
      startedMs,
      updatedMs: startedMs + 40,
      provenance,
      actor: 'user',
      origins: ['screen'],
      ...more,
    });
    return this;
  }

  tool(tool: ChatTool): this {
    return this.say('toolCall', '', { tool });
  }

  state(state: NonNullable<ChatEvent['state']>): this {
    return this.event({ type: 'stateChanged', state });
  }

  event(event: Partial<ChatEvent> & Pick<ChatEvent, 'type'>): this {
    const base = { ...this.#ids, id: `${this.#ids.conversationId}-e${this.lines.length}`, order: this.lines.length };
    this.lines.push({ ...base, atMs: this.#tick(), at: 0, ...event });
    return this;
  }

  /** A prompt, a tool and an answer, after which the agent waits. */
  turn(
    prompt: string,
    answer: string,
    tool: ChatTool = { name: 'Bash', input: 'ls', output: 'a b', status: 'done' },
  ): this {
    return this.say('user', prompt).state('working').tool(tool).say('model', answer).state('idle');
  }

  #tick(): number {
    this.#atMs += 100;
    return this.#atMs;
  }
}

const kinds: readonly ChatMessage['kind'][] = [
  ...(['user', 'model', 'toolCall', 'toolResult', 'permission', 'welcome', 'command', 'notice', 'exit'] as const),
];
const statuses = ['running', 'done', 'failed', 'denied', 'interrupted', undefined] as const;

/** Any conversation: messages in any order, some streaming, changed much later or redrawn, with or without an end. */
export const anyTalk: fc.Arbitrary<Talk> = fc
  .record({
    startMs: fc.integer({ min: 1, max: 2_000_000_000_000 }),
    steps: fc.array(
      fc.oneof(
        {
          weight: 5,
          arbitrary: fc.record({
            kind: fc.constantFrom(...kinds),
            text: fc.string({ unit: 'grapheme', maxLength: 40 }),
            name: fc.string({ unit: 'grapheme', maxLength: 12 }),
            status: fc.constantFrom(...statuses),
            final: fc.boolean(),
            late: fc.integer({ min: -500, max: 100_000 }),
            replayOf: fc.constantFrom(undefined, undefined, undefined, 'c0'),
          }),
        },
        { weight: 2, arbitrary: fc.record({ state: fc.constantFrom('idle', 'working', 'needs_approval', 'unknown') }) },
      ),
      { maxLength: 40 },
    ),
    hasEnd: fc.boolean(),
  })
  .map(({ startMs, steps, hasEnd }) => {
    const talk = new Talk(startMs);
    for (const step of steps) {
      if ('state' in step) {
        talk.state(step.state as 'idle');
        continue;
      }
      const { kind, text, name, status, final, late, replayOf } = step;
      talk.say(kind, text, {
        final,
        ...(replayOf !== undefined && { replayOf }),
        ...(kind === 'toolCall' && { tool: { name, input: text, ...(status && { status }) } }),
      });
      const last = talk.lines.at(-1);
      if (last && 'kind' in last) last.updatedMs += late;
    }
    if (hasEnd) talk.event({ type: 'cli:exit' });
    return talk;
  });
