import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';

/** A value and its position: `[start, end)` in UTF-16 units. */
export interface JsonNode {
  readonly start: number;
  readonly end: number;
  /** Null unless it is an object. In the order of the text; may contain a key twice. */
  readonly members: readonly JsonMember[] | null;
  /** Null unless it is an array. */
  readonly items: readonly JsonNode[] | null;
  /** For a repeated key, its last value, as in all readers that allow repetition. */
  readonly value: unknown;
}

export interface JsonMember {
  readonly key: string;
  readonly keyStart: number;
  readonly node: JsonNode;
  /** Position of the comma after it; null without one. */
  readonly commaAt: number | null;
}

export type ParsedJsonc = { ok: true; root: JsonNode } | { ok: false; reason: string; offset: number };

/** Deeper nesting does not come from a person; parsers and readers recurse. */
const MAX_DEPTH = 64;
const BOM = '\ufeff';

/** Parses JSON with comments and trailing commas, as editors do. Never throws; returns the first fault. */
export function parseJsonc(text: string): ParsedJsonc {
  // a space replaces the byte order mark, which the parser does not accept
  const marked = text.startsWith(BOM) ? ` ${text.slice(1)}` : text;
  const building = new Building();
  try {
    visit(marked, building.visitor, { allowTrailingComma: true });
    return { ok: true, root: building.root };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return { ok: false, reason: thrown.message, offset: Math.min(thrown.offset, text.length) };
  }
}

/** The first repeated key of an object, and the position of its repetition; null if there is none. */
export function repeatedKey({ members, items }: JsonNode): { key: string; offset: number } | null {
  const seen = new Set<string>();
  for (const { key, keyStart, node } of members ?? []) {
    if (seen.has(key)) return { key, offset: keyStart };
    seen.add(key);
    const within = repeatedKey(node);
    if (within) return within;
  }
  for (const item of items ?? []) {
    const within = repeatedKey(item);
    if (within) return within;
  }
  return null;
}

/** Start of the value at `path`, or of the nearest value around it. */
export function offsetOf(node: JsonNode, [key, ...rest]: readonly (string | number)[]): number {
  if (key === undefined) return node.start;
  const next =
    typeof key === 'number' ? node.items?.[key] : node.members?.findLast((member) => member.key === key)?.node;
  return next ? offsetOf(next, rest) : node.start;
}

/** Counts from 1, like editors. */
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

/** An incomplete object or array. */
interface Open {
  readonly start: number;
  readonly members: { key: string; keyStart: number; node: JsonNode; commaAt: number | null }[] | null;
  readonly items: JsonNode[] | null;
  key: { text: string; start: number };
}

/** Builds a tree from the parser's events. */
class Building {
  readonly #open: Open[] = [];
  #root: JsonNode | null = null;

  readonly visitor = {
    onObjectBegin: (offset: number): void => this.#begin({ start: offset, members: [], items: null }),
    onArrayBegin: (offset: number): void => this.#begin({ start: offset, members: null, items: [] }),
    onObjectProperty: (text: string, start: number): void => {
      const open = this.#open.at(-1);
      if (open) open.key = { text, start };
    },
    onLiteralValue: (value: unknown, start: number, length: number): void =>
      this.#put({ start, end: start + length, members: null, items: null, value }),
    onObjectEnd: (offset: number, length: number): void => this.#end(offset + length),
    onArrayEnd: (offset: number, length: number): void => this.#end(offset + length),
    onSeparator: (char: string, offset: number): void => {
      const last = this.#open.at(-1)?.members?.at(-1);
      if (char === ',' && last) last.commaAt = offset;
    },
    onError: (code: ParseErrorCode, offset: number): never => {
      const name = printParseErrorCode(code);
      throw new Fault(IN_WORDS[name] ?? name, offset);
    },
  };

  get root(): JsonNode {
    if (!this.#root) throw new Fault('a value is expected', 0);
    return this.#root;
  }

  #begin(open: Omit<Open, 'key'>): void {
    if (this.#open.length >= MAX_DEPTH) throw new Fault('it nests too deep', open.start);
    this.#open.push({ ...open, key: { text: '', start: open.start } });
  }

  #end(end: number): void {
    const { start, members = null, items = null } = this.#open.pop() ?? { start: end };
    // defines properties, so that "__proto__" is an ordinary key
    const object = members && Object.fromEntries(members.map(({ key, node }) => [key, node.value]));
    this.#put({ start, end, members, items, value: object ?? items?.map(({ value }) => value) });
  }

  #put(node: JsonNode): void {
    const open = this.#open.at(-1);
    if (!open) this.#root = node;
    else if (open.items) open.items.push(node);
    else open.members?.push({ key: open.key.text, keyStart: open.key.start, node, commaAt: null });
  }
}

/** The parser's error codes in words. */
const IN_WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'what stands here is neither a value nor a name in double quotes',
  InvalidNumberFormat: 'a number is malformed',
  PropertyNameExpected: 'a name in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a comma or } is expected',
  CloseBracketExpected: 'a comma or ] is expected',
  EndOfFileExpected: 'something stands behind the end of the JSON',
  UnexpectedEndOfComment: 'a comment does not end',
  UnexpectedEndOfString: 'a string does not end',
  UnexpectedEndOfNumber: 'a number is malformed',
  InvalidUnicode: 'a string is malformed',
  InvalidEscapeCharacter: 'a string is malformed',
  InvalidCharacter: 'a string is malformed',
};
