import type { Block, TextSource } from '../contract/block.ts';
import type { TerminalEvent } from '../contract/event.ts';
import { NOTHING_BEFORE, type ShellBefore } from './ShellBefore.ts';
import { NOTHING_TYPED, type TypedAhead, unknownTyped } from './typedAhead.ts';

/**
 * Phase of the shell. `start`: no mark yet. `idle`: a command has ended, no prompt yet. `prompt`: the prompt is being
 * drawn. `editing`: the person types. `command`: a command runs.
 */
export type Phase = 'start' | 'idle' | 'prompt' | 'editing' | 'command';

/** Events that may change the blocks. */
const BLOCK_EVENTS = [
  'output',
  'begin',
  'end',
  'prompt',
  'promptStart',
  'promptEnd',
  'altScreen',
  'screenCleared',
  'addressed',
] as const;
type BlockEvent = Extract<TerminalEvent, { type: (typeof BLOCK_EVENTS)[number] }>;

export function isBlockEvent(event: TerminalEvent): event is BlockEvent {
  return (BLOCK_EVENTS as readonly string[]).includes(event.type);
}

/** Input of reduceBlock. `at` and `end` are offsets in output.raw. */
export type BlockInput =
  | BlockEvent
  /** The PTY has ended, with the process's own status. `signal` is its name. */
  | { type: 'exit'; at: number; exitCode: number | null; signal: string | null }
  /** No mark has come within ten seconds of the start. */
  | { type: 'noMarks'; at: number }
  /** Another shell, or a remote, has the terminal while the command runs. */
  | { type: 'nested'; program: string }
  /** Late text of a block that began without one; null if no exact text was found. */
  | { type: 'text'; blockId: string; cmd: string | null; source: TextSource }
  /** Bytes of the person or an agent went to the PTY. */
  | { type: 'input'; keys: string }
  /** The composer or an agent sends a whole command line to an empty prompt. */
  | { type: 'submit'; cmd: string; actor: string; blockId?: string }
  /** The line of that block has not begun in time: a begin before the next prompt still belongs to it, a later one does not. */
  | { type: 'givenUp'; blockId: string };

/**
 * A sent line that has not begun. With a `blockId`, it waits for a trusted begin, whose block gets that id. A prompt may be redrawn
 * before it (fish does so on a resize), so the line survives one prompt, but then only an exactly equal text matches.
 */
export interface Submission {
  readonly cmd: string;
  readonly actor: string;
  readonly blockId?: string;
  /** A prompt has come since. */
  readonly isPassed?: boolean;
  readonly isGivenUp?: boolean;
}

/** Times and the id that a block opened by this input would get. */
export interface BlockMoment {
  /** Ms since 1970 UTC, for people. */
  atMs: number;
  /** Ms of the monotonic clock, for durations. */
  monoMs: number;
  newId: string;
}

export type BlockEffect =
  /** A block has begun: write its record (unless ephemeral), and its text from `rawStart` on. */
  | { type: 'open'; block: Block }
  /** All bytes of the block, also those that are not text, as a view of the event's bytes. `at` is the first byte's offset. */
  | { type: 'output'; blockId: string; at: number; bytes: Uint8Array }
  /** Bytes from..to of output.raw belong to the block, although they were passed on before it was known. */
  | { type: 'backfill'; blockId: string; from: number; to: number }
  /** A field other than outputBytes has changed. If the block is no longer ephemeral, its record is written now. */
  | { type: 'change'; block: Block }
  /** The block has ended. outputLines is unknown here, because it depends on the text. */
  | { type: 'close'; block: Block }
  /** A line of events.jsonl. */
  | { type: 'event'; record: BlockRecord };

export type BlockRecord =
  | { type: 'altScreen'; on: boolean; at: number; atMs: number; blockId: string | null }
  | { type: 'screenCleared'; by: string; at: number; atMs: number; blockId: string | null }
  /** Output came while the person was at the prompt; `jobBlockIds` are the commands that had started something with `&`. */
  | { type: 'backgroundOutput'; blockId: string; jobBlockIds: string[]; atMs: number };

/** The state of one shell in one terminal. Immutable by convention: reduceBlock makes a new one. */
export interface BlockState extends ShellBefore {
  readonly terminalId: string;
  readonly nextSeq: number;
  readonly phase: Phase;
  /** The running block; there is at most one. */
  readonly open: Block | null;
  readonly openedMonoMs: number;
  /** The shell's own count of the running command, null if its mark has none. */
  readonly openCount: number | null;
  /** The first bytes of the running command, until it is known whether its shell wrote them; otherwise null. */
  readonly lead: Uint8Array | null;
  /** Start of this shell's output. */
  readonly startOffset: number;
  readonly cwd: string | null;
  /** A status of 129 or more means a signal, as POSIX shells report it. */
  readonly reportsSignals: boolean;
  readonly submitted: Submission | null;
  /** Ended blocks that wait for their text, newest last. */
  readonly textless: readonly Block[];
  /** Unjudged output since the prompt was drawn; null if no more output is to be judged. */
  readonly idleLine: { at: number; bytes: Uint8Array } | null;
  readonly typed: TypedAhead;
  /** Keys came after the shell announced its prompt, so a redrawn prompt belongs to a typed line, even to an abandoned one. */
  readonly isTouched: boolean;
  /** Monotonic time at which the prompt was drawn. */
  readonly promptMonoMs: number;
}

/** The state after an input, and the resulting effects in order. */
export type Reduced = [BlockState, BlockEffect[]];

export interface BlockStart {
  terminalId: string;
  /** The first block's seq: one more than the terminal's last. */
  nextSeq: number;
  startOffset: number;
  cwd: string | null;
  reportsSignals?: boolean;
  /** Of a shell that an earlier core has begun. */
  before?: ShellBefore | undefined;
}

export function initialBlockState({ reportsSignals = true, before, ...start }: BlockStart): BlockState {
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
    ...(before ?? NOTHING_BEFORE),
    idleLine: null,
    typed: before ? unknownTyped(before.isLineBegun) : NOTHING_TYPED,
    isTouched: false,
    promptMonoMs: 0,
  };
}
