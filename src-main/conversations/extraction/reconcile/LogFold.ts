import type { LogMessage, LogTool, MessageFold } from './LogMessage.ts';

/** Messages in the order of their first report; a later report completes a message in its place. */
export class LogFold implements MessageFold {
  readonly #messages: LogMessage[] = [];
  readonly #places = new Map<string, number>();

  get messages(): readonly LogMessage[] {
    return this.#messages;
  }

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  get(id: string): LogMessage | undefined {
    return this.#messages[this.#places.get(id) ?? -1];
  }

  put(message: LogMessage): void {
    const place = this.#places.get(message.id);
    if (place === undefined) this.#places.set(message.id, this.#messages.push(message) - 1);
    else this.#messages[place] = { ...message, atMs: this.#messages[place]?.atMs ?? message.atMs };
  }

  tool(id: string, more: Partial<LogTool>): void {
    const message = this.get(id);
    if (message?.tool) this.put({ ...message, tool: { ...message.tool, ...more } });
  }
}
