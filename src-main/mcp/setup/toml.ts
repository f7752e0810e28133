import { TextScanner } from './TextScanner.ts';

/** A statement of TOML: `[a.b]`, `[[a.b]]`, or `key = value`. */
export interface TomlStatement {
  readonly kind: 'table' | 'array' | 'pair';
  /** The path from the document's root; for a pair, with the table that contains it. */
  readonly path: readonly string[];
  /** `[start, end)`: without the line end, a trailing comment or leading spaces. */
  readonly start: number;
  readonly end: number;
  /** The value of a pair. Only strings and lists are parsed; undefined for other kinds. */
  readonly value?: unknown;
  readonly valueStart?: number;
}

const BLANK = /[ \t]*/y;
const NEWLINE = /\r?\n/y;
const COMMENT = /#[^\n\r]*/y;
/** Between the values of a list. */
const SPACE = /(?:[ \t\r\n]|#[^\n]*)*/y;
const BARE_KEY = /[A-Za-z0-9_-]+/y;
const BASIC = /"(?:[^"\\\x00-\x08\x0a-\x1f\x7f]|\\(?:[btnfre"\\]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}))*"/y;
const LITERAL = /'[^'\x00-\x08\x0a-\x1f\x7f]*'/y;
const LONG_BASIC = /"""(?:[^"\\]|\\[\s\S]|"{1,2}(?!"))*"{3,5}/y;
const LONG_LITERAL = /'''(?:[^']|'{1,2}(?!'))*'{3,5}/y;
/** Numbers, dates, times, booleans: their values do not matter here. */
const SCALAR = /true|false|[+-]?(?:inf|nan)|\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d[\d:.+Zz-]*|[+-]?\d[\w.:+-]*/y;
const MAX_DEPTH = 200;

/** Parses the statements of a TOML document, in order. Throws a ConfigError for invalid syntax; does not check semantics. */
export function parseToml(text: string): TomlStatement[] {
  const scan = new TextScanner(text);
  scan.take('\ufeff');
  const found: TomlStatement[] = [];
  for (let table: readonly string[] = []; ; ) {
    scan.match(BLANK);
    if (scan.match(NEWLINE) !== null || scan.match(COMMENT) !== null) continue;
    if (scan.isAtEnd) return found;
    const statement = scan.next === '[' ? readHeader(scan) : readPair(scan, table);
    if (statement.kind !== 'pair') table = statement.path;
    found.push(statement);
    scan.match(BLANK);
    scan.match(COMMENT);
    if (!scan.isAtEnd && scan.match(NEWLINE) === null) scan.fail('the end of the line is expected');
  }
}

function readHeader(scan: TextScanner): TomlStatement {
  const start = scan.at;
  const isArray = scan.take('[[');
  if (!isArray) scan.take('[');
  const path = readKey(scan);
  if (!scan.take(isArray ? ']]' : ']')) scan.fail(`${isArray ? ']]' : ']'} is expected`);
  return { kind: isArray ? 'array' : 'table', path, start, end: scan.at };
}

function readPair(scan: TextScanner, table: readonly string[]): TomlStatement {
  const start = scan.at;
  const path = [...table, ...readKey(scan)];
  if (!scan.take('=')) scan.fail('= is expected');
  scan.match(BLANK);
  const valueStart = scan.at;
  const value = readValue(scan, 0);
  return { kind: 'pair', path, start, end: scan.at, value, valueStart };
}

/** Reads a key with the blanks around it. */
function readKey(scan: TextScanner): string[] {
  const parts: string[] = [];
  do {
    scan.match(BLANK);
    const basic = scan.match(BASIC);
    const part =
      basic !== null ? unescapeBasic(basic.slice(1, -1)) : (scan.match(LITERAL)?.slice(1, -1) ?? scan.match(BARE_KEY));
    parts.push(part ?? scan.fail('a name is expected'));
    scan.match(BLANK);
  } while (scan.take('.'));
  return parts;
}

function readValue(scan: TextScanner, depth: number): unknown {
  if (depth > MAX_DEPTH) scan.fail('it nests too deep');
  if (scan.take('[')) return readList(scan, depth);
  if (scan.take('{')) return readInline(scan, depth);
  // try the long forms first: each begins like an empty string of the short form
  if (scan.match(LONG_BASIC) !== null || scan.match(LONG_LITERAL) !== null) return undefined;
  const basic = scan.match(BASIC);
  if (basic !== null) return unescapeBasic(basic.slice(1, -1));
  const literal = scan.match(LITERAL);
  if (literal !== null) return literal.slice(1, -1);
  if (scan.match(SCALAR) === null) scan.fail('a value is expected');
  return undefined;
}

function readList(scan: TextScanner, depth: number): unknown[] {
  const items: unknown[] = [];
  for (let mayGoOn = true; ; ) {
    scan.match(SPACE);
    if (scan.take(']')) return items;
    if (!mayGoOn) scan.fail('a comma or ] is expected');
    items.push(readValue(scan, depth + 1));
    scan.match(SPACE);
    mayGoOn = scan.take(',');
  }
}

function readInline(scan: TextScanner, depth: number): undefined {
  for (let mayGoOn = true; ; ) {
    scan.match(SPACE);
    if (scan.take('}')) return undefined;
    if (!mayGoOn) scan.fail('a comma or } is expected');
    readKey(scan);
    if (!scan.take('=')) scan.fail('= is expected');
    scan.match(SPACE);
    readValue(scan, depth + 1);
    scan.match(SPACE);
    mayGoOn = scan.take(',');
  }
}

const SHORT: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', e: '\x1b' };

function unescapeBasic(text: string): string {
  return text.replace(/\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)/g, (found) => {
    if (found.length === 2) return SHORT[found.slice(1)] ?? found.slice(1);
    const code = Number.parseInt(found.slice(2), 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  });
}
