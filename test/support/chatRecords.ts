import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatEvent, ChatLine, ChatMessage } from '../../src-main/contract/chat/chat.ts';

/** Makes the lines of a conversation record as a recorder writes them, one per second. */
export class ChatWriter {
  readonly lines: ChatLine[] = [];
  readonly #terminalId: string;
  readonly #conversationId: string;
  readonly #firstOrder: number;
  #atMs: number;

  constructor(terminalId: string, conversationId: string, { atMs = Date.now() - 600_000, firstOrder = 0 } = {}) {
    this.#terminalId = terminalId;
    this.#conversationId = conversationId;
    this.#atMs = atMs;
    this.#firstOrder = firstOrder;
  }

  say(kind: ChatMessage['kind'], text: string, more: Partial<ChatMessage> = {}): ChatMessage {
    const order = this.#next();
    const message: ChatMessage = {
      id: `${this.#conversationId}-m${order}`,
      terminalId: this.#terminalId,
      conversationId: this.#conversationId,
      order,
      kind,
      text,
      final: true,
      startedMs: this.#atMs,
      updatedMs: this.#atMs,
      provenance: {
        rawStart: order * 100,
        rawEnd: order * 100 + 90,
        seq: order,
        extractor: 'stand-in',
        extractorVersion: 1,
        confidence: 0.9,
      },
      actor: 'user',
      origins: ['screen'],
      ...more,
    };
    this.lines.push(message);
    return message;
  }

  event(type: ChatEvent['type'], more: Partial<ChatEvent> = {}): ChatEvent {
    const order = this.#next();
    const event: ChatEvent = {
      type,
      id: `${this.#conversationId}-e${order}`,
      terminalId: this.#terminalId,
      conversationId: this.#conversationId,
      order,
      atMs: this.#atMs,
      at: order * 100,
      ...more,
    };
    this.lines.push(event);
    return event;
  }

  #next(): number {
    this.#atMs += 1000;
    return this.#firstOrder + this.lines.length + 1;
  }
}

/** The id of the only terminal of a data folder. */
export function onlyTerminal(home: string): string {
  const [id, ...others] = readdirSync(join(home, 'terminals'));
  if (id === undefined || others.length > 0) throw new Error('there is not exactly one terminal');
  return id;
}

/** Writes a conversation record into a terminal whose core is not running. */
export function writeChat(home: string, terminalId: string, lines: readonly ChatLine[]): void {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(join(home, 'terminals', terminalId, 'chat.jsonl'), text, { mode: 0o600 });
}
