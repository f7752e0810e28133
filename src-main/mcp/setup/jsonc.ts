import { TextScanner } from './TextScanner.ts';

/** A value and where it stands: `[start, end)` in UTF-16 units. */
export interface JsonNode {
  readonly start: number;
  readonly end: number;
  /** Null for anything but an object. */
  readonly members: readonly JsonMember[] | null;
  readonly value: unknown;
}

export interface JsonMember {
  readonly key: string;
  readonly keyStart: number;
  readonly node: JsonNode;
  /** Of the comma behind it; null where there is none. */
  readonly commaAt: number | null;
}

/** No configuration nests so deep; the parser recurses. */
const MAX_DEPTH = 200;

const SPACE = /(?:[\s\ufeff]|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/)*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** JSON as editors take it: with comments and commas before a closing bracket. Throws a ConfigError. */
export function parseJsonc(text: string): JsonNode {
  const scan = new TextScanner(text);
  scan.match(SPACE);
  const node = readValue(scan, 0);
  scan.match(SPACE);
  if (!scan.isAtEnd) scan.fail('something stands behind the end of the JSON');
  return node;
}

/** `text` holds nothing but space and comments. */
export function isBlankJson(text: string): boolean {
  const scan = new TextScanner(text);
  scan.match(SPACE);
  return scan.isAtEnd;
}

function readValue(scan: TextScanner, depth: number): JsonNode {
  if (depth > MAX_DEPTH) scan.fail('it nests too deep');
  const start = scan.at;
  if (scan.take('{')) return readObject(scan, start, depth);
  if (scan.take('[')) return readArray(scan, start, depth);
  if (scan.next === '"') {
    const value = readString(scan);
    return { start, end: scan.at, members: null, value };
  }
  const found = scan.match(SCALAR);
  if (found === null) scan.fail(scan.isAtEnd ? 'the JSON ends too soon' : 'a value is expected');
  return { start, end: scan.at, members: null, value: JSON.parse(found) };
}

/** By its quotes and no regular expression: those remember each character, and strings of megabytes do occur. */
function readString(scan: TextScanner): string {
  const { text, at: start } = scan;
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 1) continue;
    scan.at = end + 1;
    try {
      return JSON.parse(text.slice(start, end + 1)) as string;
    } catch {
      scan.fail('a string is malformed', start);
    }
  }
  scan.fail('a string does not end', start);
}

function readObject(scan: TextScanner, start: number, depth: number): JsonNode {
  const members: JsonMember[] = [];
  for (let mayGoOn = true; ; ) {
    scan.match(SPACE);
    if (scan.take('}')) break;
    if (!mayGoOn) scan.fail('a comma or } is expected');
    const keyStart = scan.at;
    if (scan.next !== '"') scan.fail(scan.isAtEnd ? 'the JSON ends too soon' : 'a name in quotes is expected');
    const key = readString(scan);
    scan.match(SPACE);
    if (!scan.take(':')) scan.fail('a colon is expected');
    scan.match(SPACE);
    const node = readValue(scan, depth + 1);
    scan.match(SPACE);
    const commaAt = scan.at;
    mayGoOn = scan.take(',');
    members.push({ key, keyStart, node, commaAt: mayGoOn ? commaAt : null });
  }
  // by definition of properties, or "__proto__" would be no name like any other
  const value = Object.fromEntries(members.map(({ key, node }) => [key, node.value]));
  return { start, end: scan.at, members, value };
}

function readArray(scan: TextScanner, start: number, depth: number): JsonNode {
  const items: unknown[] = [];
  for (let mayGoOn = true; ; ) {
    scan.match(SPACE);
    if (scan.take(']')) break;
    if (!mayGoOn) scan.fail('a comma or ] is expected');
    items.push(readValue(scan, depth + 1).value);
    scan.match(SPACE);
    mayGoOn = scan.take(',');
  }
  return { start, end: scan.at, members: null, value: items };
}
