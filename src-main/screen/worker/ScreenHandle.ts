import type { AgentState } from '../../contract/chat/chat.ts';
import type { ScreenStep } from '../../contract/chat/extractor.ts';
import type { Frame, TerminalColors } from '../../contract/screen/frame.ts';
import type {
  ScreenDelta,
  ScreenQuery,
  ScreenReading,
  ScreenSnapshot,
  SeqMismatch,
  WaitQuery,
  WaitResult,
} from '../../contract/screen/screen.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import type { Event } from '../../util/Emitter.ts';
import type { MarkKind, ScreenSize } from '../emulator/ScreenModel.ts';
import type { ScreenInput } from '../rows/promptText.ts';
import type { BeginRow, StateAnswer } from './screenProtocol.ts';

export interface ScreenSpec extends ScreenSize {
  scrollbackLines: number;
  /** Stream offset of the first byte that will be written. */
  startOffset: number;
  /**
   * Bytes of the stream from an offset on up to what was written last, or undefined when they are no longer held. Lets a new
   * worker come up without loss.
   */
  replayFrom?(offset: number): Uint8Array | undefined;
}

/** The screen is no longer the picture of all that was written before `offset`. */
export interface ScreenDegraded {
  offset: number;
  reason: string;
}

/** One terminal's screen, as seen from the main thread. */
export interface ScreenHandle extends IDisposable {
  /** Bytes of the stream from `offset` on. They are kept until they are parsed, so nobody may change them. */
  write(bytes: Uint8Array, offset: number): void;
  /** The shell's cycle is at `kind` at `offset`. To be called in the same turn as the `write` of the bytes around it. */
  mark(kind: MarkKind, offset: number): void;
  resize(size: ScreenSize): void;
  /** The state for a fresh emulator of that size, with all bytes before `offset`. Waits for what was written before. */
  serialize(): Promise<StateAnswer>;
  frame(): Promise<Frame>;
  /** The screen, whole or as the difference since a frame that the reader was given by `read` or `wait`. */
  read(query: ScreenQuery): Promise<ScreenReading | SeqMismatch>;
  /**
   * Resolves when the query is met, its time is over, or the program ended. Judged on every frame, so what was on the screen
   * for an instant between two frames counts as far as it is text that scrolled off. Survives a replaced worker. An abort stops it in the
   * worker and rejects with the signal's reason; closing the screen resolves it with `gone`.
   */
  wait(query: WaitQuery, signal?: AbortSignal): Promise<WaitResult | SeqMismatch>;
  /**
   * What changes on the screen, for a record: the first delta a listener hears is a keyframe, then at most ten a second, the last
   * state never left out. Fold them with `foldDelta`. A delta that says only where the cursor went has the `seq` of the one before.
   * A keyframe comes with a new size, another buffer, a new epoch and after 500 deltas.
   */
  follow(listener: (delta: ScreenDelta) => void): IDisposable;
  /** Makes the next delta a keyframe, and sends one soon even if nothing changes. For a follower that lost deltas. */
  keyframe(): void;
  /**
   * What happens on the screen, for one who reads a conversation from it: the first step says what of the running command is there
   * already, also to those who follow since before, and when a new worker has lost track. No output is left out while somebody follows;
   * what comes after the disposal is not told.
   */
  followSteps(listener: (step: ScreenStep) => void): IDisposable;
  /** Resolves when those who follow steps have heard of all that was written before. */
  lastStep(): Promise<void>;
  /**
   * The screen with everything that was written before, never half drawn: resolves when a program that draws in pieces pauses or ends its
   * synchronized update, at the latest 64 ms after it began. `followSteps` has reported that screen by then.
   */
  drawn(): Promise<Frame>;
  /** The screen now with up to 100 rows from above it. All deltas up to this very state have been heard when it resolves. */
  snapshot(): Promise<ScreenSnapshot>;
  /** How the coding agent in the terminal stands, for those who wait for it; null without one. */
  agent(state: AgentState | null): void;
  /** The program ended (waits end), or with null: another one was started. In order with what was written before. */
  exited(exit: { exitCode: number | null; signal: string | null } | null): void;
  /** What was typed at the prompt, as the cells show it, or null when they cannot vouch for it. */
  commandText(): Promise<string | null>;
  /** The program wants pastes wrapped (DEC mode 2004). */
  bracketedPaste(): Promise<boolean>;
  /**
   * What stands in the shell's line, and how keys are to be sent. `isMarked`: where the prompt's end is not known it is taken to be where the
   * cursor stands now; for a prompt that is drawn and at which nothing was typed.
   */
  input(isMarked?: boolean): Promise<ScreenInput>;
  /** Rows in which the last commands' output began. */
  beginRows(): Promise<BeginRow[]>;
  /** With which colours OSC 10, 11, 12 queries are answered; before the first call they are not. */
  setColors(colors: TerminalColors): void;
  /** Written and not parsed yet. */
  readonly backlogBytes: number;
  /** Answers to the program's queries, for the PTY. */
  readonly onReply: Event<string>;
  /** The backlog fell to `DRAINED_BYTES` or below, from above. */
  readonly onDrain: Event<void>;
  readonly onDegraded: Event<ScreenDegraded>;
}
