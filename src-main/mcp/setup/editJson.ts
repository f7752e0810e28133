import { type JsonMember, type JsonNode, parseJsonc } from '../../util/parseJsonc.ts';
import { ConfigError } from './TextScanner.ts';

/** The position of our entry: the name of the table of servers, and our name in it. */
export interface EntryPlace {
  readonly servers: string;
  readonly name: string;
}

/** Our entry in `text`; undefined without one. Throws a ConfigError. */
export function readJsonEntry(text: string, { servers, name }: EntryPlace): unknown {
  const table = isBlankJson(text) ? undefined : find(rootOf(text), servers)?.node;
  return table ? find(table, name)?.node.value : undefined;
}

/** The table of servers; undefined without one. Throws a ConfigError. */
export function readJsonTable(text: string, servers: string): unknown {
  return isBlankJson(text) ? undefined : find(rootOf(text), servers)?.node.value;
}

/** `text` with our entry set to `value`; all other bytes stay, including comments. Throws a ConfigError. */
export function setJsonEntry(text: string, { servers, name }: EntryPlace, value: object): string {
  const style = styleOf(text);
  if (isBlankJson(text)) {
    const fresh = print({ [servers]: { [name]: value } }, style, '');
    const kept = text.trim() === '' ? '' : `${text.trimEnd()}${style.eol}`;
    return `${kept}${fresh}${style.eol}`;
  }
  const root = rootOf(text);
  const table = find(objectOf(root, text, 'the file'), servers);
  if (!table) return insert(text, root, [servers, { [name]: value }], style);
  const entry = find(objectOf(table.node, text, `"${servers}"`), name);
  if (!entry) return insert(text, table.node, [name, value], style);
  if (isSame(entry.node.value, value)) return text;
  const printed = print(value, style, indentOf(text, entry.keyStart));
  return text.slice(0, entry.node.start) + printed + text.slice(entry.node.end);
}

/** `text` without our entry; with `alsoTable`, also without the table of servers if it is empty then. Throws a ConfigError. */
export function removeJsonEntry(text: string, { servers, name }: EntryPlace, alsoTable: boolean): string {
  if (isBlankJson(text)) return text;
  const table = find(rootOf(text), servers)?.node;
  if (!table?.members || !find(table, name)) return text;
  const without = cut(text, table, name);
  const left = rootOf(without);
  const rest = find(left, servers)?.node;
  const isEmpty = rest !== undefined && /^\{\s*\}$/.test(without.slice(rest.start, rest.end)); // a comment is the person's
  return alsoTable && isEmpty ? cut(without, left, servers) : without;
}

/** Only space and comments. */
const BLANK = /^(?:[\s\ufeff]|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/)*$/;

function isBlankJson(text: string): boolean {
  return BLANK.test(text);
}

function rootOf(text: string): JsonNode {
  const parsed = parseJsonc(text);
  if (parsed.ok) return parsed.root;
  throw new ConfigError(parsed.reason, text, parsed.offset);
}

interface JsonStyle {
  readonly unit: string;
  readonly eol: string;
  /** `": "` or `":"`, for JSON on one line. */
  readonly colon: string;
}

function styleOf(text: string): JsonStyle {
  const unit = /[{[]\s*?\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  return {
    unit,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
    colon: /":\S/.test(text) && !/": /.test(text) ? ':' : ': ',
  };
}

/** The last member of that name, as in all readers that allow duplicates. */
function find({ members }: JsonNode, key: string): JsonMember | undefined {
  return members?.findLast((member) => member.key === key);
}

function objectOf(node: JsonNode, text: string, what: string): JsonNode {
  if (!node.members) throw new ConfigError(`${what} is no object`, text, node.start);
  return node;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function print(value: unknown, { unit, eol }: JsonStyle, indent: string): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
}

/** The white space at the start of the line of `at`. */
function indentOf(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function insert(text: string, object: JsonNode, [key, value]: [string, unknown], style: JsonStyle): string {
  const last = object.members?.at(-1);
  if (last && !text.slice(object.start, object.end).includes('\n')) {
    const end = last.commaAt ?? last.node.end;
    const spaced = style.colon === ':' ? '' : ' ';
    const added = `${JSON.stringify(key)}${style.colon}${JSON.stringify(value)}`;
    return `${text.slice(0, end)},${spaced}${added}${text.slice(last.commaAt === null ? end : end + 1)}`;
  }
  const outer = indentOf(text, object.start);
  const indent = last ? indentOf(text, last.keyStart) : outer + style.unit;
  const added = `${style.eol}${indent}${JSON.stringify(key)}: ${print(value, style, indent)}`;
  const inside = object.end - 1;
  // after the last item in the object, which may be a comment, and on its own line
  const from = text.slice(0, inside).trimEnd().length;
  const comma = last && last.commaAt === null ? last.node.end : null;
  const before = comma === null ? text.slice(0, from) : `${text.slice(0, comma)},${text.slice(comma, from)}`;
  const rest = text.slice(from, inside);
  return `${before}${added}${rest.includes('\n') ? rest : `${style.eol}${outer}`}${text.slice(inside)}`;
}

/** Removes a member with its comma or the one before it, and its line if it has one of its own. */
function cut(text: string, object: JsonNode, key: string): string {
  const members = object.members ?? [];
  const at = members.findLastIndex((member) => member.key === key);
  const [member, before] = [members[at], members[at - 1]];
  if (!member) return text;
  const from = lineStart(text, member.keyStart);
  const to = member.commaAt === null ? member.node.end : member.commaAt + 1;
  const isLast = at === members.length - 1;
  const comma = isLast && member.commaAt === null ? (before?.commaAt ?? null) : null;
  const between = comma === null ? '' : text.slice(comma + 1, from);
  const head = comma === null ? text.slice(0, from) : text.slice(0, comma) + (/^[ \t]*$/.test(between) ? '' : between);
  const rest = text.slice(to);
  const isEmpty = members.length === 1 && head.endsWith('{') && /^\s*\}/.test(rest);
  return head + (isEmpty ? rest.trimStart() : rest);
}

/** The position before the line end and the spaces in front of `at`; `at` itself if other text precedes it on its line. */
function lineStart(text: string, at: number): number {
  const space = /\r?\n[ \t]*$/.exec(text.slice(0, at))?.[0] ?? '';
  return at - space.length;
}
