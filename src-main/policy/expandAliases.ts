import type { ShellAliasTable } from '../contract/mcp/aliasWords.ts';
import { escapeLine } from '../util/escapeControls.ts';
import { Unread } from './constructs.ts';
import { parseCommand, type SimpleCommand } from './parseCommand.ts';

/** Deeper chains than people write. */
const MAX_CHAIN = 16;
const MAX_SHOWN_CHARS = 200;

/** A name and what it stands for. */
export interface Stands {
  readonly name: string;
  readonly value: string;
}

export type Expanded =
  | { readonly text: string; readonly used: readonly Stands[]; readonly why?: undefined }
  /** It stands for something that is not followed here: `why` begins with the word in question. */
  | { readonly text: null; readonly used: readonly Stands[]; readonly why: string };

/**
 * The command with its aliases replaced as a shell does it: the first word of each simple command, and of what it stands for again, but for
 * a name within its own replacement. Where a shell would replace in any other place (a global or suffix alias, the word behind an alias
 * that ends in a blank) there is no text.
 */
export function expandAliases(text: string, words: ShellAliasTable): Expanded {
  const used: Stands[] = [];
  const why = (reason: string): Expanded => ({ text: null, used, why: reason });
  const expand = (source: string, chain: readonly string[]): Expanded => {
    const parsed = parseCommand(source);
    if (parsed instanceof Unread) {
      const [last] = used.slice(-1);
      return last ? why(`${tellAlias(last)}, which is not understood`) : { text: source, used };
    }
    const pieces: string[] = [];
    for (const command of parsed.commands) {
      const fault = findElsewhere(command, words);
      if (fault !== null) return why(fault);
      const [name = '', next] = command.words.map((word) => word.text);
      const value = chain.includes(name) ? undefined : words.aliases.get(name);
      let piece = command.source;
      if (value !== undefined) {
        used.push({ name, value });
        // then the next word is looked up too, and only of those that are checked it is known what that gives
        const isPlainNext = next === undefined || (words.checked.has(next) && !words.aliases.has(next));
        const endsInBlank = /\s$/.test(value) && !isPlainNext;
        if (endsInBlank || !piece.startsWith(name) || chain.length >= MAX_CHAIN) return why(tellAlias({ name, value }));
        // a quote that it leaves open would take in what follows
        if (parseCommand(value.trim()) instanceof Unread)
          return why(`${tellAlias({ name, value })}, which is not understood`);
        const inner = expand(`${value}${piece.slice(name.length)}`.trim(), [...chain, name]);
        if (inner.text === null) return inner;
        piece = inner.text;
      }
      pieces.push(command.before === null ? piece : `${command.before} ${piece}`);
    }
    return { text: pieces.join(' '), used };
  };
  return expand(text, []);
}

/** For people; what it stands for is the shell's text, not ours. */
export function tellAlias({ name, value }: Stands): string {
  const shown = escapeLine(value.length > MAX_SHOWN_CHARS ? `${value.slice(0, MAX_SHOWN_CHARS)}…` : value);
  return `${escapeLine(name)} is an alias in this shell: ${shown}`;
}

/** A word that zsh replaces where it stands, or by the end of its name. */
function findElsewhere({ words, redirects }: SimpleCommand, { globals, suffixes }: ShellAliasTable): string | null {
  const everywhere = [...words.map(({ text }) => text), ...redirects.map(({ target }) => target)];
  const global = everywhere.find((word) => globals.has(word));
  if (global !== undefined) return `${global} is a global alias in this shell`;
  const [first] = everywhere;
  const suffix = first?.includes('.') ? first.slice(first.lastIndexOf('.') + 1) : undefined;
  return suffix !== undefined && suffixes.has(suffix) ? `${first} is opened by a suffix alias in this shell` : null;
}
