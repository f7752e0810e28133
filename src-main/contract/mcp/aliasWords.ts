/**
 * A shell's report of its own words at a prompt, which take precedence over programs of the same name. It covers aliases and functions
 * only for the words in `checked`, with which a rule may let a command begin; other words are unknown.
 */
export interface ShellAliasTable {
  /** Name and replacement. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Global aliases of zsh, which apply anywhere in a command. */
  readonly globals: ReadonlySet<string>;
  /** Suffix aliases of zsh, by the end of a name: `txt` for `alias -s txt=…`. */
  readonly suffixes: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
  readonly checked: ReadonlySet<string>;
}

/** A prompt's reference to the report that applies to it; the shell sends the words themselves only after a change. */
export interface WordsMark {
  readonly id: string;
  /** Undefined: an earlier prompt had the words of this id. Null: the report is unreadable. */
  readonly words?: ShellAliasTable | null;
}
