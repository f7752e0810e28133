import { codeOf } from './codeOf.ts';

/** Number of a piece of input, so that the core takes it once and in order; counts from 0 per terminal of a page. */
export interface PieceNumber {
  writer: string;
  number: number;
  /** It was sent before, and the connection broke. */
  again?: true;
}

/** Pause before a piece is sent again, until the connection is known to be lost. Then all pieces wait for the next one. */
const AGAIN_MS = 100;

/**
 * Sends keys over a connection that may break and return. It is unknown whether a piece in flight arrived, so it is sent again with its number, and
 * the core takes it once. Any answer of the core, also a refusal, completes the piece.
 */
export class ReliableInput {
  readonly #writers = new Map<string, PieceNumber>();

  /** Resolves when the core has taken `data`; rejects with its refusal. Pending while there is no connection. */
  async send(
    id: string,
    data: string,
    write: (data: string, piece: PieceNumber) => Promise<unknown>,
  ): Promise<unknown> {
    const piece: PieceNumber = this.#next(id);
    for (;;) {
      try {
        return await write(data, piece);
      } catch (error) {
        if (!isOfTheLine(error)) {
          // Later pieces wait for this number, so an empty piece uses it up. A closed terminal refuses it too, which does no harm.
          if (data !== '') write('', piece).catch(() => undefined);
          throw error;
        }
      }
      piece.again = true;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  #next(id: string): PieceNumber {
    const last = this.#writers.get(id) ?? { writer: crypto.randomUUID(), number: -1 };
    const next = { writer: last.writer, number: last.number + 1 };
    this.#writers.set(id, next);
    return { ...next };
  }
}

/** A tRPC error without a code of the core: the connection broke. Any other error is a refusal or a bug. */
function isOfTheLine(error: unknown): boolean {
  return error instanceof Error && error.name === 'TRPCClientError' && codeOf(error) === undefined;
}
