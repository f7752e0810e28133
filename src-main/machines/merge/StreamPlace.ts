import { z } from 'zod';

const Input = z.record(z.string(), z.unknown());
/** The items of a terminal's stream that contain bytes, or replace everything before. */
const Item = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['state', 'replay']), offset: z.int().min(0) }),
  z.object({ type: z.literal('bytes'), offset: z.int().min(0), data: z.base64() }),
]);

/** The position in a terminal's stream. After a lost connection the stream continues there, so only missing bytes are sent again. */
export class StreamPlace {
  #next: number | null = null;
  #coreId: string | undefined;

  take(item: unknown): void {
    const read = Item.safeParse(item).data;
    if (read === undefined) return;
    this.#next = read.offset + (read.type === 'bytes' ? Buffer.byteLength(read.data, 'base64') : 0);
  }

  /** The subscription's input for the current core. A core that restarted may have lost bytes and have others at the same offsets. */
  inputFrom(input: unknown, coreId: string | undefined): unknown {
    if (coreId !== this.#coreId) this.#next = null;
    this.#coreId = coreId;
    return this.#next === null ? input : { ...Input.parse(input), from: this.#next };
  }
}
