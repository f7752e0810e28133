import type { ShellAliasTable } from '../contract/mcp/aliasWords.ts';

/** ASCII record and unit separators, which no name contains. */
const RECORD = '\x1e';
const UNIT = '\x1f';
const KINDS = ['a', 'v', 'g', 's', 'f', 'c'] as const;
type Kind = (typeof KINDS)[number];

/**
 * Parses a hook's report of its shell's words: records of a letter and a list. `a` names of aliases, `v` their values in the same order, `g` global
 * aliases, `s` suffix aliases, `f` functions among `c`, the words that were checked. Null for any other form, for example if an alias's value
 * contains a separator.
 */
export function parseShellWords(text: string): ShellAliasTable | null {
  const lists = new Map<Kind, string[]>();
  for (const record of text.split(RECORD)) {
    const kind = KINDS.find((one) => record.startsWith(one));
    if (kind === undefined || lists.has(kind)) return null;
    lists.set(kind, record.length === 1 ? [] : record.slice(1).split(UNIT));
  }
  const [names, values, globals, suffixes, functions, checked] = KINDS.map((kind) => lists.get(kind));
  if (!names || !values || !globals || !suffixes || !functions || !checked) return null;
  // one alias with an empty value is a list of one empty text, which parses as an empty list
  const stands = names.length === 1 && values.length === 0 ? [''] : values;
  if (names.length !== stands.length || names.includes('')) return null;
  return {
    aliases: new Map(names.map((name, at) => [name, stands[at] ?? ''])),
    globals: new Set(globals),
    suffixes: new Set(suffixes),
    functions: new Set(functions),
    checked: new Set(checked),
  };
}
