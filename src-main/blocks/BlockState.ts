import type { Block, TextSource } from '../contract/block.ts';
import type { TerminalEvent } from '../contract/event.ts';
import { NOTHING_TYPED, type TypedAhead } from './typedAhead.ts';

/**
 * Where the shell is. `start`: no mark of any kind yet. `idle`: a command has ended, no prompt yet. `prompt`: one is being
 * drawn. `editing`: the person types. `command`: a command runs.
 */
export type Phase = 'start' | 'idle' | 'prompt' | 'editing' | 'command';

/** What reduceBlock folds. `at` and `end` are offsets in output.raw. */
export type BlockInput =
  | Extract<
      TerminalEvent,
      {
        type:
          | 'output'
          | 'begin'
          | 'end'
          | 'prompt'
          | 'promptStart'
          | 'promptEnd'
          | 'altScreen'
          | 'screenCleared'
          | 'addressed';
      }
    >
  /** The PTY has ended, with the process's own status. `signal` is its name. */
  | { type: 'exit'; at: number; exitCode: number | null; signal: string | null }
  /** Ten seconds after the start no mark has come. */
  | { type: 'noMarks'; at: number }
  /** Another shell, or a remote, has the terminal while the command runs. */
  | { type: 'nested'; program: string }
  /** Late text of a block that began without one; null when nothing exact could be found out. */
  | { type: 'text'; blockId: string; cmd: string | null; source: TextSource }
  /** Bytes of the person or an agent have gone to the PTY. */
  | { type: 'input'; keys: string }
  /** A whole command line is being sent to an empty prompt, by the composer or an agent. */
  | { type: 'submit'; cmd: string; actor: string; blockId?: string }
  /** The line of that block has not begun in time: a beginning before the next prompt is still its own, a later one is not. */
  | { type: 'givenUp'; blockId: string };

/**
 * A line that was sent and has not begun. One with a `blockId` waits for a trusted beginning, whose block gets that id. A prompt may be drawn
 * again before it (fish does at a resize), so it outlives one, but is then only taken with its very text.
 */
export interface Submission {
  readonly cmd: string;
  readonly actor: string;
  readonly blockId?: string;
  /** A prompt came since. */
  readonly isPassed?: boolean;
  readonly isGivenUp?: boolean;
}

/** Times and the id that a block opened by this input would get. */
export interface BlockMoment {
  /** Since 1970 UTC, for people. */
  atMs: number;
  /** Of a clock that only grows, for durations. */
  monoMs: number;
  newId: string;
}

export type BlockEffect =
  /** A block has begun: its record (unless ephemeral), its text from `rawStart` on. */
  | { type: 'open'; block: Block }
  /** Bytes of the block, a view as the event's: all of them, also what is no text. `at` is the first byte's offset. */
  | { type: 'output'; blockId: string; at: number; bytes: Uint8Array }
  /** Bytes from..to of output.raw were given out before the block was known and belong to it. */
  | { type: 'backfill'; blockId: string; from: number; to: number }
  /** A field other than outputBytes has changed. A block that is no longer ephemeral has its record written now. */
  | { type: 'change'; block: Block }
  /** The block has ended. outputLines is not known here: it is the text's. */
  | { type: 'close'; block: Block }
  /** A line of events.jsonl. */
  | { type: 'event'; record: BlockRecord };

export type BlockRecord =
  | { type: 'altScreen'; on: boolean; at: number; atMs: number; blockId: string | null }
  | { type: 'screenCleared'; by: string; at: number; atMs: number; blockId: string | null }
  /** Output came while the person was at the prompt; `jobBlockIds` are the commands that had started something with `&`. */
  | { type: 'backgroundOutput'; blockId: string; jobBlockIds: string[]; atMs: number };

/** The state of one shell in one terminal. Frozen by convention: reduceBlock makes a new one. */
export interface BlockState {
  readonly terminalId: string;
  readonly nextSeq: number;
  readonly phase: Phase;
  /** The block that runs; never more than one. */
  readonly open: Block | null;
  readonly openedMonoMs: number;
  /** The shell's own count of the running command, null when its mark carried none. */
  readonly openCount: number | null;
  /** The first bytes of the running command, while it is not known whether its shell wrote them; else null. */
  readonly lead: Uint8Array | null;
  /** Where this shell's output starts. */
  readonly startOffset: number;
  readonly cwd: string | null;
  /** A status of 129 or more means a signal, as POSIX shells report it. */
  readonly reportsSignals: boolean;
  readonly submitted: Submission | null;
  /** Ended blocks that still wait for their text, newest last. */
  readonly textless: readonly Block[];
  /** Ids of the last commands that left a job in the background. */
  readonly jobBlockIds: readonly string[];
  /** What has come since the prompt was drawn and is not yet judged; null when nothing more is to be judged. */
  readonly idleLine: { at: number; bytes: Uint8Array } | null;
  readonly typed: TypedAhead;
  /** Keys came after the shell announced its prompt, so a redrawn prompt belongs to a typed line, even to an abandoned one. */
  readonly isTouched: boolean;
  /** When the prompt was drawn, by the clock that only grows. */
  readonly promptMonoMs: number;
}

/** The state after an input, and what is to be done about it, in order. */
export type Reduced = [BlockState, BlockEffect[]];

export interface BlockStart {
  terminalId: string;
  /** The first block's number: one more than the terminal's last. */
  nextSeq: number;
  startOffset: number;
  cwd: string | null;
  reportsSignals?: boolean;
}

export function initialBlockState({ reportsSignals = true, ...start }: BlockStart): BlockState {
  return {
    ...start,
    reportsSignals,
    phase: 'start',
    open: null,
    openedMonoMs: 0,
    openCount: null,
    lead: null,
    submitted: null,
    textless: [],
    jobBlockIds: [],
    idleLine: null,
    typed: NOTHING_TYPED,
    isTouched: false,
    promptMonoMs: 0,
  };
}
