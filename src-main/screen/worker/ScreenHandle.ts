import type { AgentState } from '../../contract/chat/chat.ts';
import type { ScreenStep } from '../../contract/chat/extractor.ts';
import type { Frame, TerminalColors } from '../../contract/screen/frame.ts';
import type { ScreenQuery, ScreenReading, SeqMismatch, WaitQuery, WaitResult } from '../../contract/screen/screen.ts';
import type { ScreenDelta, ScreenSnapshot } from '../../contract/screen/screenRecord.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import type { Event } from '../../util/Emitter.ts';
import type { MarkKind } from '../emulator/CommandMarks.ts';
import type { ScreenSize } from '../emulator/ScreenModel.ts';
import type { ScreenInput } from '../rows/promptText.ts';
import type { BeginRow, StateAnswer } from './screenProtocol.ts';

export interface ScreenSpec extends ScreenSize {
  scrollbackLines: number;
  /** Stream offset of the first byte to be written. */
  startOffset: number;
  /** An earlier core has dealt with the queries before this offset: they get no answer, and do not count as fast ones. */
  answersFrom?: number;
  /**
   * Returns the stream's bytes from an offset to the last write, or undefined if they are no longer kept. Lets a new worker
   * start without loss.
   */
  replayFrom?(offset: number): Uint8Array | undefined;
}

/** The screen may no longer show everything written before `offset`. */
/** An answer to the next query at or after `offset`, before the next mark. */
export interface ScreenReply {
  /** Empty if there is none: all queries before `offset` have been dealt with. */
  readonly text: string;
  readonly offset: number;
  /** The asking program has ended: its shell would take the answer for typed text. */
  readonly isLate: boolean;
}

export interface ScreenDegraded {
  offset: number;
  reason: string;
}

/** One terminal's screen, as seen from the main thread. */
export interface ScreenHandle extends IDisposable {
  /** Writes bytes of the stream at `offset`. They are kept until they are parsed, so no caller may change them. */
  write(bytes: Uint8Array, offset: number): void;
  /** The shell's cycle reaches `kind` at `offset`. Call it in the same turn as the `write` of the bytes around it. */
  mark(kind: MarkKind, offset: number): void;
  resize(size: ScreenSize): void;
  /** The state for a fresh emulator of that size, including all bytes before `offset`. Waits for earlier writes. */
  serialize(): Promise<StateAnswer>;
  frame(): Promise<Frame>;
  /** The screen, whole or as the difference from a frame that the reader got from `read` or `wait`. */
  read(query: ScreenQuery): Promise<ScreenReading | SeqMismatch>;
  /**
   * Resolves when the query is met, times out, or the program ends. Every frame is judged, so text that was visible only between
   * two frames counts if it scrolled off. Survives a replaced worker. An abort stops the wait in the worker and rejects with the
   * signal's reason; closing the screen resolves it with `gone`.
   */
  wait(query: WaitQuery, signal?: AbortSignal): Promise<WaitResult | SeqMismatch>;
  /**
   * Changes of the screen for a record: a listener's first delta is a keyframe, then at most ten follow a second, always including
   * the last state. Fold them with `foldDelta`. A delta that only moves the cursor has the `seq` of the one before.
   * A new size, another buffer, a new epoch, and every 500 deltas cause a keyframe.
   */
  follow(listener: (delta: ScreenDelta) => void): IDisposable;
  /** Makes the next delta a keyframe, and sends one soon even without a change. For a follower that lost deltas. */
  keyframe(): void;
  /**
   * Steps of the screen, for a reader of a conversation. The first step contains what the running command has already drawn; earlier
   * followers get it too, and so does everyone after a new worker has lost track. No output is skipped while there is a follower; a
   * disposed listener gets no more steps.
   */
  followSteps(listener: (step: ScreenStep) => void): IDisposable;
  /** Resolves when followers of steps have received everything written before. */
  lastStep(): Promise<void>;
  /**
   * The screen with all earlier writes, never half drawn: resolves when a program that draws in pieces pauses or ends its
   * synchronized update, at the latest 64 ms after it began. `followSteps` has reported that screen by then.
   */
  drawn(): Promise<Frame>;
  /** The current screen with up to 100 rows above it. Listeners have received all deltas up to this state when it resolves. */
  snapshot(): Promise<ScreenSnapshot>;
  /** Sets the state of the terminal's coding agent for waits; null without an agent. */
  agent(state: AgentState | null): void;
  /** The program ended (waits end); null means that another one was started. In order with earlier writes. */
  exited(exit: { exitCode: number | null; signal: string | null } | null): void;
  /** The text typed at the prompt according to the cells, or null if they cannot prove it. */
  commandText(): Promise<string | null>;
  /** Whether the program wants bracketed pastes (DEC mode 2004). */
  bracketedPaste(): Promise<boolean>;
  /**
   * The shell's line, and how to send keys. `isMarked`: if the prompt's end is unknown, it is assumed to be at the
   * cursor; for a prompt that is drawn and still empty.
   */
  input(isMarked?: boolean): Promise<ScreenInput>;
  /** Rows in which the output of the last commands began. */
  beginRows(): Promise<BeginRow[]>;
  /** Sets the colours that answer OSC 10, 11 and 12 queries, which get no answer before. */
  setColors(colors: TerminalColors): void;
  /** Bytes written and not parsed yet. */
  readonly backlogBytes: number;
  /** Answers to the program's queries, for the PTY. */
  readonly onReply: Event<ScreenReply>;
  /** Fires when the backlog falls to `DRAINED_BYTES` or below. */
  readonly onDrain: Event<void>;
  readonly onDegraded: Event<ScreenDegraded>;
}
