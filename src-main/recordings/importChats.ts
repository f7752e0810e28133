import { basename } from 'node:path';
import type { ChatLine } from '../contract/chat/chat.ts';
import type { IExtractor, ScreenStep } from '../contract/chat/extractor.ts';
import type { BlockMarkEvent } from '../contract/event.ts';
import { ExtractorFactory } from '../conversations/extraction/extractors/ExtractorFactory.ts';
import { PtyChatSession } from '../conversations/extraction/PtyChatSession.ts';
import { PtyChatSnapshotExtractor } from '../conversations/extraction/PtyChatSnapshotExtractor.ts';
import { findAgent } from '../conversations/extraction/status/findAgent.ts';
import { ScreenModel, type ScreenSize } from '../screen/emulator/ScreenModel.ts';
import { ScreenStepRecorder } from '../screen/worker/ScreenStepRecorder.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { PlaybackClock } from './PlaybackClock.ts';

const SCROLLBACK_LINES = 1000;
/** A screen recognized with this probability starts a conversation without another sign. */
const SURE = 0.9;
/** Another agent's screen replaces the running one only if that one recognizes less than this in it. */
const UNLIKE = 0.5;
/** Without times, the recording is examined after each piece of this size, which `LongWrites` does not take for a part of a write, … */
const PIECE_BYTES = 4095;
/** … as if this much time had passed. */
const PIECE_MS = 50;

/** A mark, and the block that ran after it. */
export interface PlacedMark {
  event: BlockMarkEvent;
  blockId: string | null;
}

/** Names for `--agent`. */
export function agentNames(): string[] {
  return new ExtractorFactory().all.map(({ name }) => name);
}

/** The title of a recording without one: its agents in order, and the folder. Null without agents. */
export function titleOf(lines: readonly ChatLine[], cwd: string | null): string | null {
  const names = new Set(lines.flatMap((line) => ('type' in line && line.agent ? [line.agent] : [])));
  const labels = new ExtractorFactory().all.filter(({ name }) => names.has(name)).map(({ label }) => label);
  if (labels.length === 0) return null;
  return [labels.join(', '), cwd === null || cwd === '/' ? '' : basename(cwd)].filter(Boolean).join(' in ');
}

/**
 * The conversations in a recording, read from its screens as for a live terminal, with the recording's own times. They begin
 * with a command that starts an agent or with an agent's screen; if `agent` is named and the recording has no marks, with its
 * first byte. Excludes conversations without messages.
 */
export class ImportedChats implements IDisposable {
  readonly #agent: string | undefined;
  readonly #clock: PlaybackClock;
  readonly #model: ScreenModel;
  readonly #session: PtyChatSession;
  readonly #factory = new ExtractorFactory();
  readonly #lines = new Map<string, ChatLine>();
  #steps: ScreenStepRecorder;
  #run: PtyChatSnapshotExtractor | null = null;
  #at = 0;
  #blockId: string | null = null;
  #hasMarks = false;
  /** An agent that has ended but whose screen is still visible. */
  #left: string | null = null;

  constructor(spec: { id: string; agent: string | undefined; startMs: number; size: ScreenSize; newId: () => string }) {
    this.#agent = spec.agent;
    this.#clock = new PlaybackClock(spec.startMs);
    this.#model = new ScreenModel({ ...spec.size, scrollbackLines: SCROLLBACK_LINES }, this.#clock);
    this.#session = new PtyChatSession(spec.id, spec.newId);
    this.#steps = this.#follow();
  }

  /** Takes output that came at `atMs`, with its marks; offsets are the whole recording's. */
  feed(bytes: Uint8Array, marks: readonly PlacedMark[], atMs: number): void {
    this.#clock.moveTo(atMs);
    if (this.#at === 0 && this.#agent !== undefined) this.#begin(this.#agent, null);
    const start = this.#at;
    for (const mark of marks) {
      const { event } = mark;
      this.#write(
        bytes.subarray(this.#at - start, Math.max(0, (event.type === 'begin' ? event.end : event.at) - start)),
      );
      this.#mark(mark);
    }
    this.#write(bytes.subarray(this.#at - start));
  }

  resize(size: ScreenSize, atMs: number): void {
    this.#clock.moveTo(atMs);
    this.#steps.take();
    this.#model.resize(size);
    if (this.#run) this.#keep(this.#session.resized(this.#now()));
    this.#changed();
  }

  /** Returns all lines of the chat.jsonl, each once. */
  end(): ChatLine[] {
    this.#clock.pass(1000);
    this.#end();
    const lines = [...this.#lines.values()].sort((a, b) => a.order - b.order);
    const spoken = new Set(lines.filter((line) => 'kind' in line).map(({ conversationId }) => conversationId));
    return lines.filter(({ conversationId }) => spoken.has(conversationId));
  }

  dispose(): void {
    this.#steps.dispose();
    this.#model.dispose();
  }

  #write(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
      if (from > 0) this.#clock.pass(PIECE_MS);
      const piece = bytes.subarray(from, from + PIECE_BYTES);
      this.#model.write(piece);
      this.#at += piece.length;
      this.#changed();
    }
  }

  #changed(): void {
    this.#steps.changed(this.#at);
    this.#steps.settle();
  }

  #mark({ event, blockId }: PlacedMark): void {
    if (!this.#hasMarks || event.type !== 'begin' || this.#run) this.#end();
    this.#hasMarks = true;
    this.#left = null;
    this.#blockId = event.type === 'begin' ? blockId : null;
    if (event.type !== 'begin') return;
    this.#model.mark('begin');
    const found = findAgent([], event.cmd, this.#factory.all);
    if (found) this.#begin(found.name, event.cwd);
  }

  #begin(name: string, cwd: string | null): void {
    this.#end();
    this.#follow();
    this.#run = new PtyChatSnapshotExtractor(this.#session, this.#factory, name);
    this.#keep(this.#run.begin({ ...this.#now(), cwd, blockId: this.#blockId, hint: name }));
  }

  #end(): void {
    this.#steps.take();
    this.#leave();
  }

  /** Call this after its last screen was processed. */
  #leave(): void {
    const run = this.#run;
    this.#run = null;
    this.#left = run?.extractor?.name ?? null;
    if (run) this.#keep(run.end(this.#now()));
  }

  /** Restarts the steps, so that the first one contains the running command's part of the screen. */
  #follow(): ScreenStepRecorder {
    this.#steps?.dispose();
    this.#steps = new ScreenStepRecorder(this.#model, this.#clock, (step) => this.#take(step));
    return this.#steps;
  }

  #take(step: ScreenStep): void {
    const seen = this.#recognise(step);
    if (seen?.name !== this.#left) this.#left = null;
    const running = this.#run?.extractor ?? null;
    const isOther = seen !== null && running !== null && seen !== running && scoreOf(running, step) < UNLIKE;
    if (seen && this.#left === null && (!this.#run || isOther)) this.#startAt(seen);
    if (!this.#run) return;
    this.#keep(this.#run.take(step));
    if (this.#run.last?.state === 'exited') this.#leave();
  }

  /** Starts during the steps, which continue unchanged. */
  #startAt({ name }: IExtractor): void {
    this.#leave();
    this.#run = new PtyChatSnapshotExtractor(this.#session, this.#factory, name);
    this.#keep(this.#run.begin({ ...this.#now(), cwd: null, blockId: this.#blockId, hint: name }));
  }

  #recognise(step: ScreenStep): IExtractor | null {
    return this.#factory.all.find((extractor) => scoreOf(extractor, step) >= SURE) ?? null;
  }

  #now(): { at: number; atMs: number } {
    return { at: this.#at, atMs: this.#clock.nowMs() };
  }

  #keep(lines: readonly ChatLine[]): void {
    for (const line of lines) this.#lines.set(line.id, line);
  }
}

function scoreOf(extractor: IExtractor, { rows, cols, altScreen, title, cursorRow }: ScreenStep): number {
  return extractor.recognise({ rows, screenTop: 0, cols, altScreen, title, cursorRow });
}
