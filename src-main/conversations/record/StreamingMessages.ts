import type { ChatLine, ChatMessage } from '../../contract/chat/chat.ts';

/**
 * A streaming message is written again when it has grown by an eighth, but at most once a second, and after ten seconds in any case. So the
 * file stays within some ten times the messages' size, and a crash costs a second of a message (the bytes are in output.raw).
 */
export const WRITE_EVERY_MS = 1_000;
const WRITE_AT_LAST_MS = 10_000;
const WRITE_GROWTH = 1 / 8;

interface Written {
  atMs: number;
  length: number;
}

/** The messages of a chat.jsonl that are not final: what of them is on disk, and when they are written again. */
export class StreamingMessages {
  /** The state on disk. */
  readonly #written = new Map<string, Written>();
  readonly #unwritten = new Set<string>();

  /** Ids of those that have changed since they were written. */
  get unwritten(): ReadonlySet<string> {
    return this.#unwritten;
  }

  has(id: string): boolean {
    return this.#unwritten.has(id) || this.#written.has(id);
  }

  /** Takes a new version of a line; true if it must be written at once: an event, a final message, or the beginning of a message. */
  changed(line: ChatLine): boolean {
    if (!('kind' in line) || line.final) return true;
    this.#unwritten.add(line.id);
    return !this.#written.has(line.id);
  }

  isDue(line: ChatLine, nowMs: number): boolean {
    const written = this.#written.get(line.id);
    if (!written || !('kind' in line)) return false;
    const hasGrown = Math.abs(sizeOf(line) - written.length) > written.length * WRITE_GROWTH;
    return hasGrown || nowMs - written.atMs >= WRITE_AT_LAST_MS;
  }

  wrote(line: ChatLine, nowMs: number): void {
    this.#unwritten.delete(line.id);
    if ('kind' in line && !line.final) this.#written.set(line.id, { atMs: nowMs, length: sizeOf(line) });
    else this.#written.delete(line.id);
  }
}

function sizeOf({ text, tool }: ChatMessage): number {
  return text.length + (tool?.input?.length ?? 0) + (tool?.output?.length ?? 0);
}
