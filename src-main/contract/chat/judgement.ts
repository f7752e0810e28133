/** A command that a client wants to run, as the policy judges it. */
export interface CommandRequest {
  /** The exact text to be typed, without the Return. */
  readonly cmd: string;
  /** Name of the shell that would read it: bash, zsh, fish, pwsh, … */
  readonly shell: string;
  /** The shell's working directory; null if unknown. */
  readonly cwd: string | null;
}

/**
 * The policy's verdict. `rule` is the id of the rule that decided (`deny[1]`, `allow[0]`, `redirects`, `parse`, `default`, …), `subcommand` the
 * simple command that it is about, so that the client can rephrase it without guessing.
 */
export interface Judgement {
  readonly verdict: 'allow' | 'ask' | 'deny';
  readonly rule: string;
  readonly subcommand: string | null;
  /** A sentence for people. */
  readonly reason: string;
  /**
   * The argument vectors of the command's simple commands, in order, if it was understood to the last character; otherwise null. Only
   * with them can "this prefix here until closed" be offered.
   */
  readonly argvs: readonly (readonly string[])[] | null;
}
