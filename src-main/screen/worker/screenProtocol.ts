import type { AgentState } from '../../contract/chat/chat.ts';
import type { ScreenStep } from '../../contract/chat/extractor.ts';
import type { Frame, FrameRow, TerminalColors } from '../../contract/screen/frame.ts';
import type { ScreenQuery, ScreenReading, SeqMismatch, WaitQuery, WaitResult } from '../../contract/screen/screen.ts';
import type { ScreenDelta, ScreenSnapshot } from '../../contract/screen/screenRecord.ts';
import type { StateLines } from '../../contract/screen/stateLines.ts';
import type { RenderedLine, RenderSpec } from '../emulator/BlockRenderer.ts';
import type { MarkKind } from '../emulator/CommandMarks.ts';
import type { ScreenSize } from '../emulator/ScreenModel.ts';
import type { ScreenInput } from '../rows/promptText.ts';

/** A mark of the shell's cycle at a stream offset. */
export interface OffsetMark {
  kind: MarkKind;
  offset: number;
}

/** Bytes of a stream from `offset` on, with their marks. Queries in replayed bytes were already answered. */
export interface FedBytes {
  offset: number;
  bytes: Uint8Array;
  marks: readonly OffsetMark[];
  isReplay: boolean;
}

/** Start of a new emulator. `state` is the result of `serialize` at `offset`, or '' for a blank screen. */
export interface OpenSpec extends ScreenSize {
  terminalId: string;
  /** Prefix of this emulator's epochs, which no other emulator has. */
  run: string;
  scrollbackLines: number;
  offset: number;
  state: string;
  /** See `ScreenSpec`. */
  answersFrom?: number;
}

export interface StateAnswer extends ScreenSize, StateLines {
  data: string;
  /** Stream offset up to which `data` contains everything. */
  offset: number;
}

/** Milliseconds of a monotonic clock that is the same in all threads. */
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

/** Row of the cursor, from 0, when the command whose output starts at `offset` began. */
export interface BeginRow {
  offset: number;
  row: number;
  /** The command in the cells, if it is one line: see `textFromMark`. */
  commandText: string | null;
  /** The command's rows, if it was entered in several: see `rowsFromMark`. */
  commandRows?: readonly string[];
}

/** Queries without arguments. */
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
 * `drawn` is answered when no screen is half drawn, a wait when it is over, the others at once. The time of a wait counts from `askedMs`
 * (`threadsMs`), regardless of how long the message takes.
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

/** A row in a message, or its number at the receiver. */
type SentRow = FrameRow | number;

/** A step in a message. Its new rows, in the order `left`, `below`, `rows`, get the numbers from `place` on. */
export interface SentStep extends Omit<ScreenStep, 'left' | 'below' | 'rows'> {
  readonly place: number;
  readonly left: readonly SentRow[];
  readonly below?: readonly SentRow[];
  readonly rows: readonly SentRow[];
}

/** Worker → main. */
export type FromWorker =
  | { type: 'ready' }
  /** All bytes before `offset` are in the emulator. */
  | { type: 'parsed'; slot: number; offset: number }
  /** An answer to the next query at or after `offset`, before the next mark; '': all queries before `offset` have been dealt with. */
  | { type: 'reply'; slot: number; data: string; offset: number }
  | { type: 'delta'; slot: number; delta: ScreenDelta }
  | { type: 'step'; slot: number; step: SentStep }
  | { type: 'answer'; call: number; value: Answer }
  | { type: 'failed'; call: number; reason: string }
  /** The state at a quiet moment, with few rows of scrollback, from which a new worker would start. */
  | { type: 'checkpoint'; slot: number; state: StateAnswer }
  /** The emulator threw; it was emptied and continues at `offset`. */
  | { type: 'broken'; slot: number; offset: number; reason: string };

/** Passed to the worker at its start. */
export interface WorkerStart {
  progress: SharedArrayBuffer;
  /** Only for tests of the watchdog. */
  unguarded: boolean;
}

/**
 * What the main thread can read while the worker hangs: a count that increases with each slice, and the slot and stream offsets that
 * the worker is parsing.
 */
export class SharedProgress {
  readonly #cells: Float64Array;

  static readonly BYTES = 4 * Float64Array.BYTES_PER_ELEMENT;

  constructor(buffer: SharedArrayBuffer) {
    this.#cells = new Float64Array(buffer);
  }

  /** Worker: begins a slice of `slot`. */
  begin(slot: number, from: number, to: number): void {
    this.#cells.set([slot, from, to], 1);
  }

  /** Worker: ends the slice. */
  end(): void {
    this.#cells[1] = 0;
    this.live();
  }

  /** Worker: finished work other than a slice. */
  live(): void {
    this.#cells[0] = this.count + 1;
  }

  get count(): number {
    return this.#cells[0] ?? 0;
  }

  /** The slice being parsed, or undefined between slices. Slots count from 1. */
  get current(): { slot: number; from: number; to: number } | undefined {
    const [, slot = 0, from = 0, to = 0] = this.#cells;
    return slot === 0 ? undefined : { slot, from, to };
  }
}
