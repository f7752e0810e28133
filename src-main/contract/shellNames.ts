/** The commands of a shell, as reported at a prompt. */
export interface ShellNames {
  /** Process id that the shell knows itself by: a shell elsewhere has another. */
  readonly pid: number;
  /** Its unchanged PATH. */
  readonly path: string;
  /** Names of aliases, functions, builtins, keywords and abbreviations, and of programs outside PATH. May lack names with a leading `_`. */
  readonly known: ReadonlySet<string>;
  /** Suffixes of names that are commands: `txt` for zsh's `alias -s txt=…`. */
  readonly suffixes: ReadonlySet<string>;
}

/** A prompt's reference to the current report, which follows only if it changed. Null: it cannot be read. */
export interface NamesMark {
  readonly id: string;
  readonly names?: ShellNames | null;
}
