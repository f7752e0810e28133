import { namedDelta } from '../../contract/screen/foldDelta.ts';
import type { ScreenClosed, StreamedDelta } from '../../contract/screen/screen.ts';
import type { ScreenHandle } from '../../screen/worker/ScreenHandle.ts';
import { DeltaQueue } from './DeltaQueue.ts';

/** Unacknowledged deltas per reader at most; the next one waits for an acknowledgement. */
export const MAX_UNACKNOWLEDGED_DELTAS = 20;

interface Reader {
  acknowledged: number;
  wake(): void;
}

/**
 * Screens followed as deltas. A stream begins with a keyframe, even for a returning reader, so a reader can fold its deltas
 * without earlier ones. A reader that acknowledges too slowly gets a keyframe in place of the missed deltas.
 */
export class DeltaStreams {
  readonly #readers = new Map<string, Reader>();

  /** Ends when `signal` aborts, or with a last message when the terminal is closed. The reader chooses `readerId`; acknowledgements name it. */
  async *follow(
    { id, screen, closed }: { id: string; screen: Pick<ScreenHandle, 'follow'>; closed: AbortSignal },
    readerId: string,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<StreamedDelta | ScreenClosed> {
    const queue = new DeltaQueue();
    let changed = Promise.withResolvers<void>();
    const reader: Reader = { acknowledged: 0, wake: () => changed.resolve() };
    this.#readers.set(readerId, reader);
    const following = screen.follow((delta) => {
      queue.push(delta);
      reader.wake();
    });
    signal?.addEventListener('abort', reader.wake);
    closed.addEventListener('abort', reader.wake);
    try {
      for (let n = 1; !signal?.aborted; ) {
        const isTime = closed.aborted || n - reader.acknowledged <= MAX_UNACKNOWLEDGED_DELTAS;
        const delta = isTime ? queue.take() : undefined;
        if (delta) yield { n: n++, ...namedDelta(id, delta) };
        else if (closed.aborted) {
          yield { type: 'screen_closed', pty_id: id, n };
          return;
        } else {
          await changed.promise;
          changed = Promise.withResolvers<void>();
        }
      }
    } finally {
      following.dispose();
      signal?.removeEventListener('abort', reader.wake);
      closed.removeEventListener('abort', reader.wake);
      if (this.#readers.get(readerId) === reader) this.#readers.delete(readerId);
    }
  }

  /** The reader has received everything up to its delta `n`. */
  ack(readerId: string, n: number): void {
    const reader = this.#readers.get(readerId);
    if (!reader) return;
    reader.acknowledged = Math.max(reader.acknowledged, n);
    reader.wake();
  }
}
