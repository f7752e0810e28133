/** Which commands a shell has, as it reported them at a prompt. */
export interface ShellNames {
  /** Process id of the shell, as it knows it itself: one elsewhere has another. */
  readonly pid: number;
  /** Its PATH, as it is. */
  readonly path: string;
  /** Names of aliases, functions, builtins, keywords and abbreviations, and of programs that it was shown elsewhere than on PATH. Names with a leading `_` may be left out. */
  readonly known: ReadonlySet<string>;
  /** Ends of names that are commands by themselves: `txt` for zsh's `alias -s txt=…`. */
  readonly suffixes: ReadonlySet<string>;
}

/** A prompt names the report that holds; the report itself comes when it is another one than before. Null: it cannot be read. */
export interface NamesMark {
  readonly id: string;
  readonly names?: ShellNames | null;
}
