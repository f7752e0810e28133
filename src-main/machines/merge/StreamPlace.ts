import { z } from 'zod';

const Input = z.record(z.string(), z.unknown());
/** The items of a terminal's stream that contain bytes, or replace everything before. */
const Item = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['state', 'replay']), offset: z.int().min(0) }),
  z.object({ type: z.literal('bytes'), offset: z.int().min(0), data: z.base64() }),
]);

/** A core waits for acknowledgements after 1 MiB of bytes; the emulator of a window that gets far more cannot keep up and loses them. */
const MAX_UNACKED_BYTES = 8 * 1024 * 1024;
/** Items without bytes, such as sizes and marks, and small ones: as many as come in minutes to a hidden window, which acknowledges seldom. */
const MAX_UNACKED_ITEMS = 20_000;

/** Why a core that keeps the protocol would not have sent an item: `backwards` has bytes again, `ahead` does not wait for the window. */
export type StreamFault = 'backwards' | 'ahead';

/** The position in a terminal's stream. After a lost connection the stream continues there, so only missing bytes are sent again. */
export class StreamPlace {
  #next: number | null = null;
  #acked = 0;
  #items = 0;
  /** The bytes that are not acknowledged: their end, and the number of items up to it. */
  #unacked: { readonly end: number; readonly items: number }[] = [];
  #ackedItems = 0;
  #coreId: string | undefined;

  take(item: unknown): StreamFault | null {
    this.#items += 1;
    if (this.#items - this.#ackedItems > MAX_UNACKED_ITEMS) return 'ahead';
    const read = Item.safeParse(item).data;
    if (read === undefined) return null;
    const { offset } = read;
    if (read.type !== 'bytes') this.#acked = offset;
    else if (this.#next === null) this.#acked = Math.max(this.#acked, offset);
    else if (offset < this.#next) return 'backwards';
    this.#next = offset + (read.type === 'bytes' ? Buffer.byteLength(read.data, 'base64') : 0);
    this.#unacked.push({ end: this.#next, items: this.#items });
    return this.#next - this.#acked > MAX_UNACKED_BYTES ? 'ahead' : null;
  }

  /** The window has drawn everything before `offset`. */
  acked(offset: number): void {
    this.#acked = Math.max(this.#acked, offset);
    const drawn = this.#unacked.findLastIndex(({ end }) => end <= offset);
    this.#ackedItems = this.#unacked[drawn]?.items ?? this.#ackedItems;
    this.#unacked = this.#unacked.slice(drawn + 1);
  }

  /** The subscription's input for the current core. A core that restarted may have lost bytes and have others at the same offsets. */
  inputFrom(input: unknown, coreId: string | undefined): unknown {
    if (coreId !== this.#coreId) this.#next = null;
    this.#coreId = coreId;
    return this.#next === null ? input : { ...Input.parse(input), from: this.#next };
  }
}
