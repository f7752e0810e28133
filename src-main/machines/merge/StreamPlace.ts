import { z } from 'zod';

const Input = z.record(z.string(), z.unknown());
/** Of the stream of a terminal, the items that have bytes or stand for all that was before. */
const Item = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['state', 'replay']), offset: z.int().min(0) }),
  z.object({ type: z.literal('bytes'), offset: z.int().min(0), data: z.base64() }),
]);

/** How far the stream of a terminal has come. After a cut it goes on there, so that only what is missing crosses the line once more. */
export class StreamPlace {
  #next: number | null = null;
  #coreId: string | undefined;

  take(item: unknown): void {
    const read = Item.safeParse(item).data;
    if (read === undefined) return;
    this.#next = read.offset + (read.type === 'bytes' ? Buffer.byteLength(read.data, 'base64') : 0);
  }

  /** The subscription's input for the core that is asked now. One that was started since may have lost bytes, and have others in their place. */
  inputFrom(input: unknown, coreId: string | undefined): unknown {
    if (coreId !== this.#coreId) this.#next = null;
    this.#coreId = coreId;
    return this.#next === null ? input : { ...Input.parse(input), from: this.#next };
  }
}
