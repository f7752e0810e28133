/** Output of a job that an earlier core recognized at the prompt. Offsets in output.raw; `to` is null if that core did not see its end. */
export interface JobOutput {
  readonly from: number;
  readonly to: number | null;
}

/** What a core that continues a shell knows of its time before. */
export interface ShellBefore {
  /** Ids of the last commands that left a job in the background. */
  readonly jobBlockIds: readonly string[];
  /** Ascending. */
  readonly jobOutput: readonly JobOutput[];
  /** End of the output when the last key was typed: a later prompt is untouched. */
  readonly keyedAt: number;
  /** The last key ended no line: the next prompt has its text, even a prompt after `keyedAt`. */
  readonly isLineBegun: boolean;
}

/** Of a new shell. */
export const NOTHING_BEFORE: ShellBefore = { jobBlockIds: [], jobOutput: [], keyedAt: -1, isLineBegun: false };
