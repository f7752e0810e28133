import { MAX_WAIT_MS, PlayTime } from './PlayTime.ts';
import type { Recorded, RecordedEvent, ReplayMark, ScreenSize } from './readCast.ts';

export const SPEEDS = [1, 2, 4, 8, 16] as const;
export type Speed = (typeof SPEEDS)[number];

/** Characters written before waiting for the emulator to draw, so that the window stays responsive. */
const WRITE_CHARS = 256 * 1024;
/** While playing, going back within this time of a mark goes to the mark before it. */
const BEGUN_MS = 500;
/** Longest step of the position, so that it does not jump after a hidden window or a sleep. */
const MAX_FRAME_MS = 250;

/** The emulator that shows the replay. */
export interface ReplayScreen {
  reset(size: ScreenSize): void;
  /** Calls back when the text is drawn. */
  write(text: string, done: () => void): void;
  resize(size: ScreenSize): void;
}

/** Source of time for the player. */
export interface FrameClock {
  /** Calls `tick` with the time in ms of a clock that never goes back, again and again until it is stopped. */
  run(tick: (nowMs: number) => void): () => void;
}

/** Plays one recording: what the screen shows is always all that was printed until `positionMs`, however that was reached. */
export class ReplayPlayer {
  readonly recorded: Recorded;
  readonly #screen: ReplayScreen;
  readonly #clock: FrameClock;
  #stopClock: (() => void) | undefined;
  /** The next event that the screen has not got. */
  #next = 0;
  #isWriting = false;
  #isDisposed = false;
  /** Played time, in ms. */
  positionMs = $state(0);
  isPlaying = $state(false);
  speed = $state<Speed>(1);
  skipsWaits = $state(true);
  /** The screen lags behind the position because much output is still being written. */
  isBehind = $state(false);
  readonly time = $derived.by(() => this.#timeOf(this.skipsWaits));
  readonly marks = $derived.by(() =>
    this.recorded.marks.map(({ atMs, label }) => ({ label, atMs: this.time.toPlayed(atMs) })),
  );
  /** The command or turn at the current position. */
  readonly mark = $derived.by(() => this.marks.findLast(({ atMs }) => atMs <= this.positionMs));

  constructor(recorded: Recorded, screen: ReplayScreen, clock: FrameClock) {
    this.recorded = recorded;
    this.#screen = screen;
    this.#clock = clock;
    screen.reset(recorded.size);
    void this.#catchUp();
  }

  /** From the start again where it has ended. */
  play(): void {
    if (this.isPlaying) return;
    if (this.positionMs >= this.time.lengthMs) this.seek(0);
    this.isPlaying = true;
    let lastMs: number | null = null;
    this.#stopClock = this.#clock.run((nowMs) => {
      const passedMs = Math.min(MAX_FRAME_MS, nowMs - (lastMs ?? nowMs));
      lastMs = nowMs;
      if (this.#isWriting) return; // wait until the screen has caught up
      this.#moveTo(this.positionMs + passedMs * this.speed);
      if (this.positionMs >= this.time.lengthMs) this.pause();
    });
  }

  pause(): void {
    this.#stopClock?.();
    this.#stopClock = undefined;
    this.isPlaying = false;
  }

  toggle(): void {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  seek(playedMs: number): void {
    this.#moveTo(playedMs);
  }

  /** Keeps the shown moment. */
  setSkipsWaits(skips: boolean): void {
    const recordedMs = this.time.toRecorded(this.positionMs);
    this.skipsWaits = skips;
    this.positionMs = this.time.toPlayed(recordedMs);
  }

  /** Goes to the previous or next mark. While playing, a mark that has just begun is skipped when going back. */
  jump(to: 'previous' | 'next'): void {
    const { positionMs, marks } = this;
    const begunMs = this.isPlaying ? BEGUN_MS : 0;
    const mark: ReplayMark | undefined =
      to === 'next'
        ? marks.find(({ atMs }) => atMs > positionMs)
        : marks.findLast(({ atMs }) => atMs < positionMs - begunMs);
    this.#moveTo(mark?.atMs ?? (to === 'next' ? this.time.lengthMs : 0));
  }

  changeSpeed(by: 1 | -1): void {
    this.speed = SPEEDS[SPEEDS.indexOf(this.speed) + by] ?? this.speed;
  }

  dispose(): void {
    this.pause();
    this.#isDisposed = true;
  }

  #moveTo(playedMs: number): void {
    this.positionMs = Math.max(0, Math.min(this.time.lengthMs, playedMs));
    void this.#catchUp();
  }

  /** Only one call runs at a time; it reads the newest position after each piece. */
  async #catchUp(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    for (let pieces = 0; !this.#isDisposed; pieces += 1) {
      const untilMs = this.#shownMs();
      const last = this.recorded.events[this.#next - 1];
      if (last && last.atMs > untilMs) this.#rewind();
      const piece = this.#piece(untilMs);
      if (piece === undefined) break;
      this.isBehind = pieces > 1;
      if (typeof piece === 'string') await new Promise<void>((done) => this.#screen.write(piece, done));
      else this.#screen.resize(piece);
    }
    this.isBehind = false;
    this.#isWriting = false;
  }

  /** Rounded up, so that rounding errors never exclude the event at this position. */
  #shownMs(): number {
    return Math.ceil(this.time.toRecorded(this.positionMs) - 1e-6);
  }

  #rewind(): void {
    this.#next = 0;
    this.#screen.reset(this.recorded.size);
  }

  /** The next output for the screen, or its next size. */
  #piece(untilMs: number): string | ScreenSize | undefined {
    const { events } = this.recorded;
    let text = '';
    for (;;) {
      const event: RecordedEvent | undefined = events[this.#next];
      if (!event || event.atMs > untilMs || text.length >= WRITE_CHARS) return text === '' ? undefined : text;
      if (event.type === 'resize') {
        if (text !== '') return text;
        this.#next += 1;
        return { cols: event.cols, rows: event.rows };
      }
      text += event.text;
      this.#next += 1;
    }
  }

  #timeOf(skipsWaits: boolean): PlayTime {
    const { events, marks } = this.recorded;
    const moments = [...events, ...marks].map(({ atMs }) => atMs).sort((a, b) => a - b);
    return new PlayTime(moments, skipsWaits ? MAX_WAIT_MS : null);
  }
}
