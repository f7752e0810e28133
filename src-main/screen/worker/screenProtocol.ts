import type { AgentState } from '../../contract/chat/chat.ts';
import type { ScreenStep } from '../../contract/chat/extractor.ts';
import type { Frame, FrameRow, TerminalColors } from '../../contract/screen/frame.ts';
import type {
  ScreenDelta,
  ScreenQuery,
  ScreenReading,
  ScreenSnapshot,
  SeqMismatch,
  WaitQuery,
  WaitResult,
} from '../../contract/screen/screen.ts';
import type { StateLines } from '../../contract/screen/stateLines.ts';
import type { RenderedLine, RenderSpec } from '../emulator/BlockRenderer.ts';
import type { MarkKind, ScreenSize } from '../emulator/ScreenModel.ts';
import type { ScreenInput } from '../rows/promptText.ts';

/** A mark of the shell's cycle at a stream offset. */
export interface OffsetMark {
  kind: MarkKind;
  offset: number;
}

/** Bytes of a stream from `offset` on, with the marks that lie in them. What is replayed was answered before. */
export interface FedBytes {
  offset: number;
  bytes: Uint8Array;
  marks: readonly OffsetMark[];
  isReplay: boolean;
}

/** What a new emulator starts from. `state` is what `serialize` gave at `offset`, or '' for a blank screen. */
export interface OpenSpec extends ScreenSize {
  terminalId: string;
  /** Begins the epochs of this emulator, and of no other. */
  run: string;
  scrollbackLines: number;
  offset: number;
  state: string;
}

export interface StateAnswer extends ScreenSize, StateLines {
  data: string;
  /** Stream offset up to which everything is in `data`. */
  offset: number;
}

/** Milliseconds of a clock that only grows and is the same in all threads. */
export function threadsMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Main → worker. Messages of one terminal are handled in order; `slot` is the terminal's number in `SharedProgress`. */
export type ToWorker =
  | { type: 'open'; slot: number; spec: OpenSpec }
  | ({ type: 'feed'; slot: number } & FedBytes)
  | { type: 'resize'; slot: number; size: ScreenSize }
  | { type: 'colors'; slot: number; colors: TerminalColors }
  | { type: 'ask'; slot: number; call: number; what: Question }
  | { type: 'stopWait'; slot: number; call: number }
  | { type: 'follow'; slot: number; isOn: boolean }
  | { type: 'steps'; slot: number; isOn: boolean }
  | { type: 'agent'; slot: number; state: AgentState | null }
  | { type: 'exit'; slot: number; exit: WaitResult['exit'] }
  | { type: 'close'; slot: number }
  | { type: 'renderOpen'; slot: number; spec: RenderSpec }
  | { type: 'renderFeed'; slot: number; call: number; bytes: Uint8Array }
  | { type: 'renderEnd'; slot: number; call: number };

/** The cursor stood in `row` of the screen, from 0, when the command whose output starts at `offset` began. */
export interface BeginRow {
  offset: number;
  row: number;
  /** What the cells showed of a command in one line: see `textFromMark`. */
  commandText: string | null;
  /** Of a command that was entered in several rows: see `rowsFromMark`. */
  commandRows?: readonly string[];
}

/** What is asked without more words. */
export type PlainQuestion =
  | 'serialize'
  | 'frame'
  | 'commandText'
  | 'bracketedPaste'
  | 'input'
  | 'markInput'
  | 'beginRows'
  | 'snapshot'
  | 'lastStep'
  | 'drawn';
/**
 * `drawn` is answered when no picture is half drawn, a wait when it is over, the others at once. The time of a wait counts from `askedMs` of
 * `threadsMs`, however long the message takes.
 */
export type Question = PlainQuestion | { read: ScreenQuery } | { wait: WaitQuery; askedMs: number };
export type Answer =
  | StateAnswer
  | Frame
  | string
  | null
  | boolean
  | BeginRow[]
  | ScreenInput
  | RenderedLine[]
  | ScreenReading
  | SeqMismatch
  | WaitResult
  | ScreenSnapshot;

/** A row on its way, or the number of the place where the other end has it. */
type SentRow = FrameRow | number;

/** A step on its way. Its new rows, in the order `left`, `below`, `rows`, are put at `place` and those behind it. */
export interface SentStep extends Omit<ScreenStep, 'left' | 'below' | 'rows'> {
  readonly place: number;
  readonly left: readonly SentRow[];
  readonly below?: readonly SentRow[];
  readonly rows: readonly SentRow[];
}

/** Worker → main. */
export type FromWorker =
  | { type: 'ready' }
  /** Everything before `offset` is in the emulator. */
  | { type: 'parsed'; slot: number; offset: number }
  /** An answer to a query that stands at `offset` or behind it, before the next mark. */
  | { type: 'reply'; slot: number; data: string; offset: number }
  | { type: 'delta'; slot: number; delta: ScreenDelta }
  | { type: 'step'; slot: number; step: SentStep }
  | { type: 'answer'; call: number; value: Answer }
  | { type: 'failed'; call: number; reason: string }
  /** The state at a quiet moment, with few rows of scrollback: where a new worker would start from. */
  | { type: 'checkpoint'; slot: number; state: StateAnswer }
  /** The emulator threw; it was emptied and goes on after `offset`. */
  | { type: 'broken'; slot: number; offset: number; reason: string };

/** Handed to the worker when it is started. */
export interface WorkerStart {
  progress: SharedArrayBuffer;
  /** Only for tests of the watchdog. */
  unguarded: boolean;
}

/**
 * What the main thread can read while the worker hangs: a count that grows with each slice, and which slot is being worked
 * on over which stream offsets.
 */
export class SharedProgress {
  readonly #cells: Float64Array;

  static readonly BYTES = 4 * Float64Array.BYTES_PER_ELEMENT;

  constructor(buffer: SharedArrayBuffer) {
    this.#cells = new Float64Array(buffer);
  }

  /** Worker: a slice of `slot` begins. */
  begin(slot: number, from: number, to: number): void {
    this.#cells.set([slot, from, to], 1);
  }

  /** Worker: the slice is done. */
  end(): void {
    this.#cells[1] = 0;
    this.live();
  }

  /** Worker: something else than a slice is done. */
  live(): void {
    this.#cells[0] = this.count + 1;
  }

  get count(): number {
    return this.#cells[0] ?? 0;
  }

  /** The slice in work, or undefined between slices. Slots count from 1. */
  get current(): { slot: number; from: number; to: number } | undefined {
    const [, slot = 0, from = 0, to = 0] = this.#cells;
    return slot === 0 ? undefined : { slot, from, to };
  }
}
