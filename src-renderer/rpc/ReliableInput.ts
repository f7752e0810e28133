import { OUTCOME_UNKNOWN } from '../../src-main/shared/machineIds.ts';
import { codeOf, isOfTheLine } from './codeOf.ts';

/** Number of a piece of input, so that the core takes it once and in order; counts from 0 per terminal of a page. */
export interface PieceNumber {
  writer: string;
  number: number;
  /** It, or a piece before it without an answer, was sent before, and the connection broke. */
  again?: true;
  /** The first piece without an answer, and the core that was connected when that was first sent. */
  since?: { number: number; core: string };
}

/** Pause before a piece is sent again, until the connection is known to be lost. Then all pieces wait for the next one. */
const AGAIN_MS = 100;

interface Writer {
  name: string;
  next: number;
  /** Pieces without an answer, in order. */
  open: { readonly number: number; readonly core: string }[];
}

/**
 * Sends keys over a connection that may break and return. It is unknown whether a piece in flight arrived, so it is sent again with its number, and
 * the core takes it once. Any answer of the core, also a refusal, completes the piece.
 */
export class ReliableInput {
  readonly #writers = new Map<string, Writer>();
  #core = '';

  /** Call with what the connected core says of itself: a core that is started later has another id. Returns it. */
  meets<Info extends { coreId: string }>(info: Info): Info {
    this.#core = info.coreId;
    return info;
  }

  /** Resolves when the core has taken `data`; rejects with its refusal. Pending while there is no connection. */
  async send(
    id: string,
    data: string,
    write: (data: string, piece: PieceNumber) => Promise<unknown>,
  ): Promise<unknown> {
    const writer = this.#writers.get(id) ?? { name: crypto.randomUUID(), next: 0, open: [] };
    this.#writers.set(id, writer);
    const own = { number: writer.next, core: this.#core };
    writer.next += 1;
    writer.open.push(own);
    const piece: PieceNumber = { writer: writer.name, number: own.number, since: { ...(writer.open[0] ?? own) } };
    if (piece.since?.number !== own.number) piece.again = true;
    try {
      return await this.#untilAnswered(data, piece, write);
    } catch (error) {
      // Those behind it that were typed before the person knew of the loss are refused too; the next one begins again.
      if (codeOf(error) === OUTCOME_UNKNOWN) writer.open = [];
      throw error;
    } finally {
      writer.open = writer.open.filter((piece) => piece !== own);
    }
  }

  async #untilAnswered(
    data: string,
    piece: PieceNumber,
    write: (data: string, piece: PieceNumber) => Promise<unknown>,
  ): Promise<unknown> {
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
}
