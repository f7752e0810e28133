/** One command that somebody wants to run, as the policy looks at it. */
export interface CommandRequest {
  /** Exactly what would be typed, without the Return. */
  readonly cmd: string;
  /** Name of the shell that would read it: bash, zsh, fish, pwsh, … */
  readonly shell: string;
  /** Where that shell stands; null when it is not known. */
  readonly cwd: string | null;
}

/**
 * What the policy says. `rule` is the id of the rule that decided (`deny[1]`, `allow[0]`, `redirects`, `parse`, `default`, …), `subcommand` the
 * simple command it was about, so that whoever asked can word it once more and need not guess.
 */
export interface Judgement {
  readonly verdict: 'allow' | 'ask' | 'deny';
  readonly rule: string;
  readonly subcommand: string | null;
  /** A sentence for people. */
  readonly reason: string;
  /**
   * The whole command as argument vectors of its simple commands, in order, when it was understood to the last character; null when it
   * was not. Only then "this prefix here until closed" can be offered.
   */
  readonly argvs: readonly (readonly string[])[] | null;
}
