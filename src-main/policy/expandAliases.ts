import type { ShellAliasTable } from '../contract/mcp/aliasWords.ts';
import { escapeLine } from '../util/escapeControls.ts';
import { Unread } from './constructs.ts';
import { parseCommand, type SimpleCommand } from './parseCommand.ts';

/** Longer than any chain of aliases that people write. */
const MAX_CHAIN = 16;
const MAX_SHOWN_CHARS = 200;

/** An alias and its value. */
export interface Stands {
  readonly name: string;
  readonly value: string;
}

export type Expanded =
  | { readonly text: string; readonly used: readonly Stands[]; readonly why?: undefined }
  /** The aliases cannot be resolved; `why` begins with the word in question. */
  | { readonly text: null; readonly used: readonly Stands[]; readonly why: string };

/**
 * Replaces aliases as a shell does: the first word of each simple command, repeatedly, except an alias within its own replacement. No text if a shell
 * would also replace words elsewhere (a global or suffix alias, the word after an alias that ends in a blank).
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
        // the shell then looks up the next word too, and only a checked word has a known result
        const isPlainNext = next === undefined || (words.checked.has(next) && !words.aliases.has(next));
        const endsInBlank = /\s$/.test(value) && !isPlainNext;
        if (endsInBlank || !piece.startsWith(name) || chain.length >= MAX_CHAIN) return why(tellAlias({ name, value }));
        // an open quote would swallow the following text
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

/** A description for people; the alias's value is the shell's text, so it is escaped. */
export function tellAlias({ name, value }: Stands): string {
  const shown = escapeLine(value.length > MAX_SHOWN_CHARS ? `${value.slice(0, MAX_SHOWN_CHARS)}…` : value);
  return `${escapeLine(name)} is an alias in this shell: ${shown}`;
}

/** A word that zsh replaces anywhere (global alias), or by its extension (suffix alias). */
function findElsewhere({ words, redirects }: SimpleCommand, { globals, suffixes }: ShellAliasTable): string | null {
  const everywhere = [...words.map(({ text }) => text), ...redirects.map(({ target }) => target)];
  const global = everywhere.find((word) => globals.has(word));
  if (global !== undefined) return `${global} is a global alias in this shell`;
  const [first] = everywhere;
  const suffix = first?.includes('.') ? first.slice(first.lastIndexOf('.') + 1) : undefined;
  return suffix !== undefined && suffixes.has(suffix) ? `${first} is opened by a suffix alias in this shell` : null;
}
