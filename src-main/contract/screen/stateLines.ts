/**
 * What a `state` item of `terminal.stream` may carry beside its sequences: lines of the buffer that they build, counted from its
 * first line (scrollback included). A viewer that attaches while a command runs knows by them which rows are that command's;
 * without them it shows the whole screen. Null: not in the buffer any more, or there is none.
 */
export interface StateLines {
  /** Where the running block's output starts. */
  beginLine: number | null;
  /** Where the shell's present prompt starts. */
  promptLine: number | null;
}
