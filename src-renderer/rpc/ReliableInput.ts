import { codeOf } from './codeOf.ts';

/** What a piece of input is sent with, so that the core takes it once and in order: from 0 for each terminal of a page. */
export interface PieceNumber {
  writer: string;
  number: number;
}

/** A piece that broke off waits with all others for the next connection; this is for the moment before the line is known to be cut. */
const AGAIN_MS = 100;

/**
 * Keys over a line that may break off and come back. Nobody can tell whether a piece that was under way arrived, so it is sent
 * again under its number, and the core takes it once. What the core answers, a refusal too, is the end of it.
 */
export class ReliableInput {
  readonly #writers = new Map<string, PieceNumber>();

  /** Resolves when the core has taken `data`; rejects with its refusal. Stays open while there is no line. */
  async send(
    id: string,
    data: string,
    write: (data: string, piece: PieceNumber) => Promise<unknown>,
  ): Promise<unknown> {
    const piece = this.#next(id);
    for (;;) {
      try {
        return await write(data, piece);
      } catch (error) {
        if (!isOfTheLine(error)) {
          // The pieces behind it wait for its number. A terminal that is gone refuses this too, and has no use for them.
          if (data !== '') write('', piece).catch(() => undefined);
          throw error;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  #next(id: string): PieceNumber {
    const last = this.#writers.get(id) ?? { writer: crypto.randomUUID(), number: -1 };
    const piece = { writer: last.writer, number: last.number + 1 };
    this.#writers.set(id, piece);
    return piece;
  }
}

/** tRPC's error without the core's words: the connection broke off. Any other one is a refusal, or a bug. */
function isOfTheLine(error: unknown): boolean {
  return error instanceof Error && error.name === 'TRPCClientError' && codeOf(error) === undefined;
}
