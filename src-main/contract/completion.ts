/** The kind of a completion. */
export type ChoiceKind =
  | 'command'
  | 'subcommand'
  | 'option'
  | 'argument'
  | 'file'
  | 'folder'
  | 'branch'
  | 'tag'
  | 'remote'
  | 'script'
  | 'host'
  | 'process'
  | 'container'
  | 'variable'
  | 'history'
  /** A saved command, which the window itself offers. */
  | 'saved';

export interface CompletionChoice {
  /** Replaces the range unchanged: quoted for the shell, with the closing quote and without a space after it. A folder and `--option=` stay open. */
  insert: string;
  label: string;
  kind: ChoiceKind;
  /** A word or two beside the label: the option's argument, the other names. */
  detail?: string;
  description?: string;
}

/** Completions at the caret: each choice replaces `text.slice(from, to)`. */
export interface LineCompletion {
  from: number;
  to: number;
  choices: CompletionChoice[];
}
