/** Queries whose answers need no screen, with the screen's answers: device attributes (primary, secondary) and status. */
const ANSWERS: Readonly<Record<string, string>> = { c: '\x1b[?62;4;22c', '>c': '\x1b[>0;276;0c', '5n': '\x1b[0n' };
const QUERY = /\x1b\[(?:0?(c)|(>)0?c|(5n))/g;
/** One less than the longest query: the part that a chunk may cut off. */
const CARRIED = 4;
/** As in `ReplyFilter`: more come from a displayed file, not from a program's queries. */
const MAX_PER_SECOND = 50;

/** Answers a closed set of queries while there is no core, so that an asking program does not wait. */
export class QueryAnswers {
  #carried = '';
  #secondMs = Number.NEGATIVE_INFINITY;
  #count = 0;

  /** Answers to type for the queries in `bytes`, which follow those of the last call. */
  answer(bytes: Uint8Array, monotonicMs: number): string {
    const text = this.#carried + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    let end = 0;
    let answers = '';
    for (const found of text.matchAll(QUERY)) {
      end = found.index + found[0].length;
      if (this.#mayAnswer(monotonicMs)) answers += ANSWERS[found[1] ?? (found[2] ? '>c' : '5n')] ?? '';
    }
    this.#carried = text.slice(Math.max(end, text.length - CARRIED));
    return answers;
  }

  /** A core is back, which answers itself. */
  forget(): void {
    this.#carried = '';
  }

  #mayAnswer(monotonicMs: number): boolean {
    if (monotonicMs - this.#secondMs >= 1000) {
      this.#secondMs = monotonicMs;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count <= MAX_PER_SECOND;
  }
}

/** Whether the host gave this answer while there was no core. */
export function isHostsAnswer(reply: string): boolean {
  return Object.values(ANSWERS).includes(reply);
}
