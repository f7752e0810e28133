import type { EntryPlace } from './editJson.ts';
import { ConfigError } from './TextScanner.ts';
import { parseToml, type TomlStatement } from './toml.ts';

type Entry = Readonly<Record<string, unknown>>;

/** Our table in `text`, with its values that are strings and lists; undefined without one. Throws a ConfigError. */
export function readTomlEntry(text: string, place: EntryPlace): Entry | undefined {
  const statements = parseToml(text);
  if (!headerOf(statements, place)) return undefined;
  const pairs = pairsOf(statements, place);
  return Object.fromEntries(pairs.map(({ path, value }) => [path.at(-1) ?? '', value]));
}

/** `text` with our table, with the keys of `value`; its other keys and all other bytes stay. Throws a ConfigError. */
export function setTomlEntry(text: string, place: EntryPlace, value: Entry): string {
  const statements = parseToml(text);
  const header = headerOf(statements, place);
  if (!header) return append(text, statements, { place, value });
  const pairs = pairsOf(statements, place);
  const eol = eolOf(text);
  const added: string[] = [];
  const edits: { from: number; to: number; text: string }[] = [];
  for (const [key, wanted] of Object.entries(value)) {
    const pair = pairs.findLast(({ path }) => path.at(-1) === key);
    if (!pair) added.push(`${eol}${key} = ${printValue(wanted)}`);
    else if (JSON.stringify(pair.value) !== JSON.stringify(wanted))
      edits.push({ from: pair.valueStart ?? pair.start, to: pair.end, text: printValue(wanted) });
  }
  edits.push({ from: header.end, to: header.end, text: added.join('') });
  // from the end, so that earlier offsets stay valid
  return edits
    .sort((a, b) => b.from - a.from)
    .reduce((left, edit) => left.slice(0, edit.from) + edit.text + left.slice(edit.to), text);
}

/** `text` without our table and its subtables. Comments and blank lines after it belong to the next table. Throws a ConfigError. */
export function removeTomlEntry(text: string, { servers, name }: EntryPlace): string {
  const statements = parseToml(text);
  let left = text;
  for (const [at, statement] of [...statements.entries()].reverse()) {
    if (statement.kind === 'pair' || !startsWith(statement.path, [servers, name])) continue;
    const next = statements.findIndex(({ kind }, index) => index > at && kind !== 'pair');
    const last = statements[(next < 0 ? statements.length : next) - 1] ?? statement;
    const lineEnd = left.indexOf('\n', last.end);
    const head = left.slice(0, statement.start).replace(/[ \t]*$/, '');
    const rest = lineEnd < 0 ? '' : left.slice(lineEnd + 1);
    // the blank line that setTomlEntry added before it
    left = (rest.trim() === '' ? head.replace(/\r?\n(\r?\n)$/, '$1') : head) + rest;
  }
  return left;
}

function append(
  text: string,
  statements: readonly TomlStatement[],
  { place: { servers, name }, value }: { place: EntryPlace; value: Entry },
): string {
  const clash = statements.find(
    ({ kind, path }) =>
      startsWith(path, [servers, name]) || (kind !== 'table' && path.length === 1 && path[0] === servers), // a plain value, or an array of tables
  );
  if (clash)
    throw new ConfigError(`${clash.path.join('.')} is written in a form that is not edited here`, text, clash.start);
  const eol = eolOf(text);
  const end = text === '' || text.endsWith('\n') ? '' : eol;
  const gap = text.trim() === '' ? '' : eol;
  const lines = [`[${servers}.${name}]`, ...Object.entries(value).map(([key, one]) => `${key} = ${printValue(one)}`)];
  return `${text}${end}${gap}${lines.join(eol)}${eol}`;
}

function headerOf(statements: readonly TomlStatement[], { servers, name }: EntryPlace): TomlStatement | undefined {
  return statements.find(
    ({ kind, path }) => kind === 'table' && path.length === 2 && startsWith(path, [servers, name]),
  );
}

/** The key-value pairs of our table. */
function pairsOf(statements: readonly TomlStatement[], { servers, name }: EntryPlace): TomlStatement[] {
  return statements.filter(
    ({ kind, path }) => kind === 'pair' && path.length === 3 && startsWith(path, [servers, name]),
  );
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((part, at) => path[at] === part);
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** A basic string of TOML is a JSON string in which DEL is escaped too. */
function printValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printValue).join(', ')}]`;
  return JSON.stringify(value).replaceAll('\x7f', '\\u007f');
}
