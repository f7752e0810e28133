/** Deeper nesting is no file that a person wrote. */
const MAX_DEPTH = 64;
const SPACE = /(?:[ \t\r\n]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const STRING = /"(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

type Path = readonly (string | number)[];

export type ParsedJsonc =
  /** `offsetOf` is where the value at a path begins, or the nearest one around it. */
  { ok: true; value: unknown; offsetOf: (path: Path) => number } | { ok: false; reason: string; offset: number };

/**
 * JSON with comments and trailing commas. A key that stands twice in an object is a fault: a reader would see the one, a program the other.
 * Never throws.
 */
export function parseJsonc(text: string): ParsedJsonc {
  const reader = new Reader(text);
  try {
    const value = reader.document();
    return { ok: true, value, offsetOf: (path) => reader.offsetOf(path) };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return { ok: false, reason: thrown.message, offset: thrown.offset };
  }
}

/** From 1, as editors count. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

class Fault extends Error {
  readonly offset: number;

  constructor(reason: string, offset: number) {
    super(reason);
    this.offset = offset;
  }
}

class Reader {
  readonly #text: string;
  readonly #offsets = new Map<string, number>();
  #at: number;

  constructor(text: string) {
    this.#text = text;
    this.#at = text.startsWith('\uFEFF') ? 1 : 0;
  }

  offsetOf(path: Path): number {
    for (let length = path.length; length > 0; length--) {
      const found = this.#offsets.get(JSON.stringify(path.slice(0, length)));
      if (found !== undefined) return found;
    }
    return 0;
  }

  document(): unknown {
    const value = this.#value([]);
    this.#skip();
    if (this.#at < this.#text.length) throw this.#unexpected('the end');
    return value;
  }

  #value(path: Path): unknown {
    this.#skip();
    if (path.length > MAX_DEPTH) throw new Fault('nested too deeply', this.#at);
    this.#offsets.set(JSON.stringify(path), this.#at);
    if (this.#takes('{')) return this.#object(path);
    if (this.#takes('[')) return this.#array(path);
    const token = this.#token(STRING) ?? this.#token(SCALAR);
    if (token === null) throw this.#unexpected('a value');
    return JSON.parse(token);
  }

  #object(path: Path): unknown {
    const entries = new Map<string, unknown>();
    while (!this.#closes('}')) {
      const start = this.#at;
      const token = this.#token(STRING);
      if (token === null) throw this.#unexpected('a key in double quotes');
      const key = JSON.parse(token) as string;
      if (entries.has(key)) throw new Fault(`the key ${token} stands here twice`, start);
      this.#skip();
      if (!this.#takes(':')) throw this.#unexpected('":"');
      entries.set(key, this.#value([...path, key]));
      this.#comma('}');
    }
    // fromEntries and not assignment: "__proto__" is a key like any other
    return Object.fromEntries(entries);
  }

  #array(path: Path): unknown[] {
    const items: unknown[] = [];
    while (!this.#closes(']')) {
      items.push(this.#value([...path, items.length]));
      this.#comma(']');
    }
    return items;
  }

  #closes(end: string): boolean {
    this.#skip();
    return this.#takes(end);
  }

  #comma(end: string): void {
    this.#skip();
    if (!this.#takes(',') && this.#text.charAt(this.#at) !== end) throw this.#unexpected(`"," or "${end}"`);
  }

  #takes(char: string): boolean {
    if (this.#text.charAt(this.#at) !== char) return false;
    this.#at += 1;
    return true;
  }

  #skip(): void {
    this.#token(SPACE);
  }

  #token(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const [token] = pattern.exec(this.#text) ?? [];
    if (token === undefined) return null;
    this.#at += token.length;
    return token;
  }

  #unexpected(wanted: string): Fault {
    const found = this.#text.charAt(this.#at);
    return new Fault(`${wanted} expected, ${found === '' ? 'the end' : JSON.stringify(found)} found`, this.#at);
  }
}
