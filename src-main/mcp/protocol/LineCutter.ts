/** The limit of the servers' own readers (10 MiB), minus one read of theirs that may precede or follow the line. */
export const MAX_LINE_BYTES = 10_000_000;
/** Bytes kept of each end of a line that is too long: enough for an id at either end. */
const KEPT_BYTES = 256;

/** A line without its end. Of a line that is too long, only the ends are kept. */
export type CutLine = { type: 'line'; bytes: Buffer } | { type: 'too-long'; head: string; tail: string };

/**
 * Cuts a byte stream into lines at LF, and drops a CR before it. Chunks may split anywhere. Buffers at most one unfinished line of up to
 * `MAX_LINE_BYTES`; skips blank lines.
 */
export class LineCutter {
  #parts: Buffer[] = [];
  #length = 0;
  #lost: { head: string; tail: string } | null = null;

  feed(chunk: Uint8Array): CutLine[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: CutLine[] = [];
    let from = 0;
    for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, from)) {
      this.#take(bytes.subarray(from, at));
      const line = this.#end();
      if (line) lines.push(line);
      from = at + 1;
    }
    this.#take(bytes.subarray(from));
    return lines;
  }

  /** The unfinished line, as if it ended here. Null if there is none. */
  finish(): CutLine | null {
    return this.#end();
  }

  #take(part: Buffer): void {
    if (part.length === 0) return;
    this.#length += part.length;
    if (this.#lost) this.#lost.tail = (this.#lost.tail + ascii(part.subarray(-KEPT_BYTES))).slice(-KEPT_BYTES);
    else if (this.#length <= MAX_LINE_BYTES) this.#parts.push(part);
    else {
      const whole = Buffer.concat([...this.#parts, part.subarray(0, KEPT_BYTES), part.subarray(-KEPT_BYTES)]);
      this.#lost = { head: ascii(whole.subarray(0, KEPT_BYTES)), tail: ascii(whole.subarray(-KEPT_BYTES)) };
      this.#parts = [];
    }
  }

  #end(): CutLine | null {
    const [parts, lost] = [this.#parts, this.#lost];
    this.#parts = [];
    this.#length = 0;
    this.#lost = null;
    if (lost) return { type: 'too-long', ...lost };
    const [only] = parts;
    const line = parts.length === 1 && only ? only : Buffer.concat(parts);
    const bytes = line.at(-1) === CR ? line.subarray(0, -1) : line;
    return isBlank(bytes) ? null : { type: 'line', bytes };
  }
}

const LF = 0x0a;
const CR = 0x0d;
const OPENING_BRACE = 0x7b;

function ascii(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/** Checks short lines only: a long line of spaces is reported as an invalid message. */
function isBlank(bytes: Buffer): boolean {
  if ((bytes[0] ?? 0) === OPENING_BRACE) return false;
  return bytes.length < KEPT_BYTES && bytes.toString('latin1').trim() === '';
}
