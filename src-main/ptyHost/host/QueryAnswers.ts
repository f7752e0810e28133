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

  /** Answers to type for the queries in `bytes`, which follow those of the last call of a method. */
  answer(bytes: Uint8Array, monotonicMs: number): string {
    let answers = '';
    for (const [, primary, secondary] of this.#queriesIn(bytes))
      if (this.#mayAnswer(monotonicMs)) answers += ANSWERS[primary ?? (secondary ? '>c' : '5n')] ?? '';
    return answers;
  }

  /** A core answers the queries that end in `bytes`; one that they begin may end when it has gone. */
  pass(bytes: Uint8Array): void {
    if (bytes.length > CARRIED) this.#carried = '';
    this.#queriesIn(bytes.subarray(-CARRIED));
  }

  #queriesIn(bytes: Uint8Array): RegExpExecArray[] {
    const text = this.#carried + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    const found = [...text.matchAll(QUERY)];
    const last = found.at(-1);
    const end = last ? last.index + last[0].length : 0;
    this.#carried = text.slice(Math.max(end, text.length - CARRIED));
    return found;
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
