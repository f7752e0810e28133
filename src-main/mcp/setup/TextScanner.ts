/** The position of a syntax error in a configuration; lines and columns count from 1. */
export class ConfigError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(what: string, text: string, at: number) {
    const before = text.slice(0, at).split(/\r\n|\n|\r/);
    const line = before.length;
    const column = [...(before.at(-1) ?? '')].length + 1;
    super(`${what} at line ${line}, column ${column}`);
    this.line = line;
    this.column = column;
  }
}

/** A forward-only position in a text, shared by the parsers of both formats. */
export class TextScanner {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get next(): string {
    return this.text[this.at] ?? '';
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Moves past the match of `pattern` (sticky) and returns it; null without a match. */
  match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return null;
    this.at += found[0].length;
    return found[0];
  }

  take(expected: string): boolean {
    if (!this.text.startsWith(expected, this.at)) return false;
    this.at += expected.length;
    return true;
  }

  fail(what: string, at = this.at): never {
    throw new ConfigError(what, this.text, at);
  }
}
