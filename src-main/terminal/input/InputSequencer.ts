/** Writers to remember: a page has one per terminal, and new ones after a reload. */
const MAX_WRITERS = 4096;
/** Pieces that may wait for an earlier one. A writer resends a lost piece at once, so beyond this it never will. */
const MAX_HELD = 1000;

interface Writer<T> {
  next: number;
  /** Its first piece for this core. */
  first: number;
  held: Map<number, T>;
}

/** A piece as a page sends it; `PieceNumber` of the window says the same. */
interface SentPiece {
  readonly number: number;
  /** It, or a piece before it without an answer, was sent before. */
  readonly again?: boolean | undefined;
  /** The first piece without an answer, and the core to which it was sent first: no piece from there on was sent to another one. */
  readonly since?: { readonly number: number; readonly core: string } | undefined;
}

/**
 * Accepts numbered input once and in order, even over a connection that breaks and returns: drops repeated pieces, and
 * holds pieces that overtook an earlier one. Each writer counts from 0.
 */
export class InputSequencer<T> {
  readonly #writers = new Map<string, Writer<T>>();

  /** The pieces that may go now, in order; empty if `piece` is a repetition or must wait. */
  take(name: string, number: number, piece: T): T[] {
    const writer = this.#remember(name);
    if (number < writer.next) return [];
    writer.held.set(number, piece);
    if (writer.held.size > MAX_HELD) writer.next = Math.min(...writer.held.keys());
    const ready: T[] = [];
    for (let at = writer.next; writer.held.has(at); at += 1) {
      ready.push(writer.held.get(at) as T);
      writer.held.delete(at);
      writer.next = at + 1;
    }
    return ready;
  }

  /** Number of the next piece expected from that writer. */
  nextOf(name: string): number {
    return this.#writers.get(name)?.next ?? 0;
  }

  /**
   * Lets a writer begin that is not known here, where nothing remembers which pieces an earlier core accepted. Returns false for a piece that may have
   * been sent to that core, or follows one that may have been: whether that was typed is not known, and without it the text would be another one.
   */
  continues(name: string, { number, again = false, since }: SentPiece, core: string): boolean {
    const known = this.#writers.get(name);
    const isOurs = since?.core === core && since.number <= number;
    if (known || (again && !isOurs)) return known !== undefined && number >= known.first;
    const first = isOurs ? since.number : number;
    Object.assign(this.#remember(name), { next: first, first });
    return true;
  }

  /** An earlier core has accepted all pieces of that writer below `next`. */
  resume(name: string, next: number): void {
    const writer = this.#remember(name);
    writer.next = Math.max(writer.next, next);
  }

  /** Moves the writer to the end, because the least recent writer is forgotten first. */
  #remember(name: string): Writer<T> {
    const writer = this.#writers.get(name) ?? { next: 0, first: 0, held: new Map<number, T>() };
    this.#writers.delete(name);
    this.#writers.set(name, writer);
    const oldest = this.#writers.keys().next().value;
    if (this.#writers.size > MAX_WRITERS && oldest !== undefined) this.#writers.delete(oldest);
    return writer;
  }
}

/**
 * Calls `act` once, when it is the turn of that piece. Resolves with its result only then: a writer sends a piece again until it has an answer,
 * so one that waits and dies with the core must have none. Resolves at once for a repetition.
 */
export function inOrder<R>(
  order: InputSequencer<() => void>,
  { writer, number }: { readonly writer: string; readonly number: number },
  act: () => R | Promise<R>,
): Promise<R | undefined> {
  return new Promise((resolve, reject) => {
    const turn = (): void => {
      try {
        resolve(act());
      } catch (error) {
        reject(error);
      }
    };
    for (const next of order.take(writer, number, turn)) next();
    if (number < order.nextOf(writer)) resolve(undefined); // it was taken before, or just now
  });
}
