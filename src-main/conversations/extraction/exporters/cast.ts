/** The two supported versions of asciicast: 2 for the players of today, 3 for asciinema 3. */
export type CastVersion = 2 | 3;

export interface CastHead {
  version: CastVersion;
  cols: number;
  rows: number;
  /** The earliest time of an event, ms since 1970. The header has whole seconds, so event times count from the start of that second. */
  startMs: number;
  title: string | null;
  /** Players shorten longer waits to this many seconds; the times in the file do not change. */
  idleLimitS: number | null;
  env: Readonly<Record<string, string>>;
}

/** DEL and C1 characters: JSON does not escape them, and a terminal may obey them when the file itself is printed. */
const UNSAFE = /[\u007f-\u009f]/g;

/**
 * Writes an asciicast (v2: absolute times, v3: intervals), a piece of text at a time; each method returns whole lines.
 *
 * Times are ms since 1970 and never go back: an event with an earlier time than the previous one gets the previous one's time. JSON holds
 * text, so bytes are decoded as UTF-8 across pieces: a character that two pieces share comes with the second one, and invalid UTF-8
 * becomes U+FFFD (the record keeps the bytes).
 */
export class CastWriter {
  readonly #head: CastHead;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #baseMs: number;
  #lastMs: number;

  constructor(head: CastHead) {
    this.#head = head;
    this.#baseMs = Math.floor(head.startMs / 1000) * 1000;
    this.#lastMs = this.#baseMs;
  }

  /** The first line of the file. */
  head(): string {
    const { version, cols, rows, title, idleLimitS, env } = this.#head;
    const size = version === 2 ? { width: cols, height: rows } : { term: { cols, rows, type: env.TERM } };
    return line({
      version,
      ...size,
      timestamp: this.#baseMs / 1000,
      ...(idleLimitS !== null && { idle_time_limit: idleLimitS }),
      ...(title && { title }),
      env,
    });
  }

  output(bytes: Uint8Array, atMs: number): string {
    const text = this.#decoder.decode(bytes, { stream: true });
    return text === '' ? '' : this.#event(atMs, 'o', text);
  }

  resize(cols: number, rows: number, atMs: number): string {
    return this.#event(atMs, 'r', `${cols}x${rows}`);
  }

  marker(label: string, atMs: number): string {
    return this.#event(atMs, 'm', label);
  }

  /** Ends the file. Only version 3 has the `exitCode`. */
  end(exitCode: number | null, atMs: number): string {
    const text = this.#decoder.decode();
    const rest = text === '' ? '' : this.#event(this.#lastMs, 'o', text);
    return exitCode === null || this.#head.version === 2 ? rest : rest + this.#event(atMs, 'x', String(exitCode));
  }

  #event(atMs: number, code: string, data: string): string {
    const nowMs = Math.max(this.#lastMs, Math.round(atMs));
    const fromMs = this.#head.version === 2 ? this.#baseMs : this.#lastMs;
    this.#lastMs = nowMs;
    return `[${((nowMs - fromMs) / 1000).toFixed(3)}, ${json(code)}, ${json(data)}]\n`;
  }
}

function line(value: unknown): string {
  return `${json(value)}\n`;
}

function json(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}
