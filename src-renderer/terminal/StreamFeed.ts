import type { StreamItem, StreamMark } from '../../src-main/contract/terminal.ts';
import { WholeCharacters } from '../../src-main/contract/wholeCharacters.ts';
import { ResizePace } from './ResizePace.ts';

/** The effects of a stream on an emulator. At each call, everything before it is parsed. */
export interface StreamSink {
  /** Clears the emulator and sets its size; the state's own sequences follow by `write`. */
  reset(size: { cols: number; rows: number }): void;
  /** Writes a state's text, or bytes that begin at `offset`; calls `done` when all of it is parsed. */
  write(data: string | Uint8Array, offset: number, done: () => void): void;
  resize(size: { cols: number; rows: number }): void;
  /** A state was fully written; its positions are lines of the emulator's buffer. */
  restored(item: Extract<StreamItem, { type: 'state' }>): void;
  mark(item: StreamMark): void;
}

/**
 * Passes the items of `terminal.stream` to an emulator in order. Bytes may queue in the emulator; everything else waits until they are parsed,
 * because a reset or a resize would otherwise overtake them and a mark would get the wrong line.
 * Acknowledges by offset, after parsing.
 */
export class StreamFeed {
  readonly #sink: StreamSink;
  readonly #ack: (offset: number) => void;
  #queue: StreamItem[] = [];
  #characters = new WholeCharacters();
  /** Number of writes that the emulator has not parsed yet. */
  #pending = 0;
  #isClosed = false;
  readonly #resizes = new ResizePace(() => this.#pump());

  constructor(sink: StreamSink, ack: (offset: number) => void) {
    this.#sink = sink;
    this.#ack = ack;
  }

  take(item: StreamItem): void {
    if (this.#isClosed) return;
    // A new state replaces all waiting items, because it contains them.
    if (item.type === 'state') this.#queue = [];
    this.#queue.push(item);
    this.#pump();
  }

  close(): void {
    this.#isClosed = true;
    this.#resizes.stop();
    this.#queue = [];
  }

  #pump(): void {
    for (let item = this.#queue[0]; item; item = this.#queue[0]) {
      if (item.type !== 'bytes' && this.#pending > 0) return;
      if (item.type === 'resize' && this.#resizes.isHeld) return;
      this.#queue.shift();
      this.#perform(item);
    }
  }

  #perform(item: StreamItem): void {
    switch (item.type) {
      case 'state':
        this.#sink.reset(item);
        this.#characters = new WholeCharacters(); // a state ends with a complete character
        this.#write(item.data, item.offset, () => {
          this.#sink.restored(item);
          this.#ack(item.offset);
        });
        break;
      case 'bytes': {
        const bytes = decodeBase64(item.data);
        const offset = item.offset - this.#characters.heldBytes;
        this.#write(this.#characters.feed(bytes), offset, () => this.#ack(item.offset + bytes.length));
        break;
      }
      case 'mark':
        this.#sink.mark(item);
        break;
      case 'resize':
        this.#resizes.run(() => this.#sink.resize(item));
        break;
      case 'exit': // the tab shows how it ended; the screen stays
    }
  }

  #write(data: string | Uint8Array, offset: number, parsed: () => void): void {
    this.#pending += 1;
    this.#sink.write(data, offset, () => {
      this.#pending -= 1;
      if (this.#isClosed) return;
      parsed();
      // Not inside of the emulator's own loop: its resize flushes a queue that the loop still uses.
      if (this.#pending === 0) queueMicrotask(() => this.#pump());
    });
  }
}

export function decodeBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
