/**
 * Optional part of a `state` item of `terminal.stream`: lines of the buffer that its sequences build, counted from its
 * first line (scrollback included). They tell a viewer that attaches while a command runs which rows are that command's;
 * without them it shows the whole screen. Null: no longer in the buffer, or none.
 */
export interface StateLines {
  /** First line of the running block's output. */
  beginLine: number | null;
  /** First line of the shell's current prompt. */
  promptLine: number | null;
}
