/** Writers that are remembered: a page has one for each of its terminals, and forgets it when it is loaded again. */
const MAX_WRITERS = 4096;
/** Pieces that wait for an earlier one. A writer sends a lost piece again at once, so more than this means that it never will. */
const MAX_HELD = 1000;

interface Writer<T> {
  next: number;
  held: Map<number, T>;
}

/**
 * Takes numbered input once and in its order, whatever a line that breaks off and comes back makes of it: what was sent twice
 * is dropped, what overtook an earlier piece waits for that one. Each writer counts from 0 by itself.
 */
export class InputSequencer<T> {
  readonly #writers = new Map<string, Writer<T>>();

  /** Everything that may go now, in order; empty when `piece` came before or must wait. */
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

  /** The number of the piece that is due from that writer. */
  nextOf(name: string): number {
    return this.#writers.get(name)?.next ?? 0;
  }

  /** An earlier core has taken all pieces of that writer below `next`. */
  resume(name: string, next: number): void {
    const writer = this.#remember(name);
    writer.next = Math.max(writer.next, next);
  }

  /** The one that wrote last is the last to be forgotten. */
  #remember(name: string): Writer<T> {
    const writer = this.#writers.get(name) ?? { next: 0, held: new Map<number, T>() };
    this.#writers.delete(name);
    this.#writers.set(name, writer);
    const oldest = this.#writers.keys().next().value;
    if (this.#writers.size > MAX_WRITERS && oldest !== undefined) this.#writers.delete(oldest);
    return writer;
  }
}
