/** The constructs of a command that are not parsed: each is a reason to ask, never to guess. The text is for the author of the command. */
export const CONSTRUCTS = {
  control_character: 'a control character (a tab and a carriage return are too)',
  invisible_character: 'a character that cannot be seen, or looks like a space and is none',
  not_nfc: 'letters with separate accents (not NFC): what is shown could differ from what is sent',
  non_ascii: 'a character beyond ASCII outside quotes',
  leading_space: 'a space at the beginning, which keeps a command out of the history',
  history_expansion: '"!", which an interactive shell may replace by something from its history',
  command_substitution: 'a command substitution',
  parameter_expansion: '"$": a parameter or another expansion',
  process_substitution: 'a process substitution',
  glob: 'a wildcard ("*", "?" or "["), which becomes names that are not shown; quote it if it is meant as it stands',
  brace: 'a brace outside quotes',
  tilde: '"~" outside quotes',
  caret: '"^" outside quotes',
  equals_expansion: '"=" where a shell may expand it',
  comment: '"#" outside quotes',
  subshell: 'a parenthesis outside quotes: a subshell, a function or a glob qualifier',
  background: '"&": a command in the background',
  pipe_stderr: '"|&"',
  heredoc: 'a here-document or here-string',
  redirect: 'a redirection of a form that is not read',
  line_continuation: 'a backslash at the end of a line',
  escaped_operator: 'an operator behind a backslash; quote it instead',
  trailing_backslash: 'a backslash at the end',
  unclosed_quote: 'a quote that is not closed',
  doubled_quote: 'two single quotes side by side, which some shells read as one',
  quoted_newline: 'a line break in quotes',
  empty_command: 'a separator without a command on both sides',
  compound: 'a word of the shell\'s own grammar, such as "if" or "time"',
  assignment: 'an assignment',
  command_word: 'a first word that is no plain name of a program',
} as const;
export type Construct = keyof typeof CONSTRUCTS;

/** Where parsing stopped, and at which construct. */
export class Unread {
  readonly construct: Construct;
  readonly at: number;

  constructor(construct: Construct, at: number) {
    this.construct = construct;
    this.at = at;
  }
}
