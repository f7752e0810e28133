import { z } from 'zod';

/** The first line of an asciicast of either version. */
export interface CastHeader {
  version: 2 | 3;
  cols: number;
  rows: number;
  /** ms since 1970; null if the recording does not say. */
  startMs: number | null;
  title: string | null;
  command: string | null;
  shell: string | null;
}

/** `atMs` counts from the start of the recording and never decreases. */
export type CastEvent =
  | { type: 'output' | 'input' | 'marker'; atMs: number; text: string }
  | { type: 'resize'; atMs: number; cols: number; rows: number }
  | { type: 'exit'; atMs: number; exitCode: number | null }
  /** A code of a later version, to be skipped. */
  | { type: 'other'; atMs: number };

/** Problem of a line, as text that follows "line 12: ". */
export interface CastProblem {
  problem: string;
}

const Text = z.string().nullish();
const Common = {
  timestamp: z.number().nonnegative().nullish(),
  title: Text,
  command: Text,
  env: z.record(z.string(), z.unknown()).nullish(),
};
const Size = z.number().int().positive();
const Header = z.discriminatedUnion('version', [
  z.object({ version: z.literal(2), width: Size, height: Size, ...Common }),
  z.object({ version: z.literal(3), term: z.object({ cols: Size, rows: Size }), ...Common }),
]);
const RESIZE = /^(\d{1,5})x(\d{1,5})$/;
/** Ten years: a longer time is damage. */
const MAX_SECONDS = 10 * 366 * 24 * 3600;

/** Reads an asciicast line by line. Problems are values, so that the caller can add the line's number. */
export class CastReader {
  readonly header: CastHeader;
  #seconds = 0;

  private constructor(header: CastHeader) {
    this.header = header;
  }

  static open(firstLine: string): CastReader | CastProblem {
    const json = parse(firstLine);
    if (json === undefined) return { problem: 'the header is not JSON' };
    const version = z.object({ version: z.unknown() }).safeParse(json).data?.version;
    if (version === 1) return { problem: 'this is asciicast version 1; `asciinema convert` makes a newer one of it' };
    const read = Header.safeParse(json);
    if (!read.success) {
      const [issue] = read.error.issues;
      return { problem: `the header is not one of asciicast 2 or 3 (${issue?.path.join('.')}: ${issue?.message})` };
    }
    const { data } = read;
    const [cols, rows] = data.version === 2 ? [data.width, data.height] : [data.term.cols, data.term.rows];
    const shell = data.env?.SHELL;
    return new CastReader({
      version: data.version,
      cols,
      rows,
      startMs: data.timestamp ? data.timestamp * 1000 : null,
      title: data.title || null,
      command: data.command || null,
      shell: typeof shell === 'string' && shell !== '' ? shell : null,
    });
  }

  /** Null for an empty line or a comment. */
  read(line: string): CastEvent | CastProblem | null {
    if (line.trim() === '' || line.startsWith('#')) return null;
    const json = parse(line);
    if (json === undefined) return { problem: 'not JSON' };
    if (!Array.isArray(json) || json.length < 3) return { problem: 'not an event of the form [time, code, data]' };
    const [time, code, data] = json as [unknown, unknown, unknown];
    if (typeof time !== 'number' || !(time >= 0 && time <= MAX_SECONDS))
      return { problem: `${JSON.stringify(time)} is not a time in seconds` };
    if (typeof code !== 'string') return { problem: `${JSON.stringify(code)} is not an event's code` };
    if (typeof data !== 'string') return { problem: `the data of event "${code}" is not a string` };
    this.#seconds = this.header.version === 2 ? Math.max(this.#seconds, time) : this.#seconds + time;
    return eventOf(code, data, this.#seconds * 1000);
  }
}

function eventOf(code: string, data: string, atMs: number): CastEvent | CastProblem {
  switch (code) {
    case 'o':
      return { type: 'output', atMs, text: data };
    case 'i':
      return { type: 'input', atMs, text: data };
    case 'm':
      return { type: 'marker', atMs, text: data };
    case 'r': {
      const size = RESIZE.exec(data);
      if (!size) return { problem: `"${data.slice(0, 40)}" is not a size such as 80x24` };
      return { type: 'resize', atMs, cols: Number(size[1]), rows: Number(size[2]) };
    }
    case 'x':
      return { type: 'exit', atMs, exitCode: /^-?\d{1,9}$/.test(data) ? Number(data) : null };
    default:
      return { type: 'other', atMs };
  }
}

/** Undefined for text that is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller names the line
  }
}
