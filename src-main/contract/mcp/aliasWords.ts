/**
 * What a shell says of its own words at a prompt: they stand before every program of the same name. Aliases and functions are told of the
 * words in `checked` only, which are those that a rule may let a command begin with; of any other word it is not known.
 */
export interface ShellAliasTable {
  /** Name and what it stands for. */
  readonly aliases: ReadonlyMap<string, string>;
  /** zsh's, which stand for something wherever they stand. */
  readonly globals: ReadonlySet<string>;
  /** zsh's, by the end of a name: `txt` for `alias -s txt=…`. */
  readonly suffixes: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
  readonly checked: ReadonlySet<string>;
}

/** A prompt names what it is to be read with; a shell tells the words themselves when they are not what it told last. */
export interface WordsMark {
  readonly id: string;
  /** Undefined: told before under this id. Null: told, and not to be understood. */
  readonly words?: ShellAliasTable | null;
}
