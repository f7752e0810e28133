import type { BlockMarkEvent, TerminalEvent } from '../contract/event.ts';
import { AltScreenTracker } from './AltScreenTracker.ts';
import { judgeMarker, NONCE_AT_BYTES, parseBlockMarker } from './blockMarkers.ts';
import { ControlScanner } from './ControlScanner.ts';
import type { OscString } from './ControlSequence.ts';
import { CursorMoves } from './CursorMoves.ts';
import type { MaskedChunk } from './masks/NonceMask.ts';
import { OscSignals } from './OscSignals.ts';
import { Throttle } from './Throttle.ts';

/** A harmless program does not need more, and a harmful one would block the event loop. */
const BELLS_PER_S = 10;
const CLEARS_PER_S = 10;

/**
 * An unfinished marker of this length is no longer left out of the output, so that a torn marker cannot swallow later output. The longest real one
 * carries a command line as base64.
 */
const MAX_MARKER_BYTES = 2 * 1024 * 1024;

export interface ProcessorOptions {
  /** Offset of the first byte in output.raw. */
  startOffset?: number;
  /** This machine's name: an OSC 7 path for another host is ignored. */
  hostName?: string;
}

/**
 * Reads events from a terminal's masked bytes. Chunks may split anything anywhere.
 * Events come in the order in which their subjects are complete; an `output` event never extends beyond the end of the next event's subject. Holds
 * back at most 60 bytes, which may still become a marker of ours, until the next feed. Bell, title, notification and clear events beyond a limit are
 * dropped (the last title is kept, see `settle`). Never throws.
 */
export class PtyDataProcessor {
  readonly #scanner: ControlScanner;
  readonly #alt = new AltScreenTracker();
  readonly #moves = new CursorMoves();
  readonly #oscs: OscSignals;
  readonly #bells = new Throttle(BELLS_PER_S, 1000);
  readonly #clears = new Throttle(CLEARS_PER_S, 1000);
  #events: TerminalEvent[] = [];
  #nowMs = 0;

  #chunk: Uint8Array = new Uint8Array(0);
  #chunkAt: number;
  /** Held bytes from before the chunk; they start at `#doneTo`. */
  #held: Uint8Array = new Uint8Array(0);
  /** Every byte before this offset was reported or belongs to a marker. */
  #doneTo: number;
  /** Offsets of nonces that a marker may still need. */
  #nonceAt: number[] = [];
  #hasPrompt = false;

  constructor({ startOffset = 0, hostName = '' }: ProcessorOptions = {}) {
    this.#chunkAt = startOffset;
    this.#doneTo = startOffset;
    this.#oscs = new OscSignals(hostName);
    this.#scanner = new ControlScanner(
      {
        bell: (at) => this.#bell(at),
        esc: (esc) => this.#esc(esc),
        csi: (csi) => {
          if (this.#alt.takeCsi(csi)) this.#switched(csi);
          else this.#moved(this.#moves.takeCsi(csi), csi);
        },
        osc: (osc) => this.#osc(osc),
        oscAbandoned: (osc) => {
          if (this.#isMarker(osc)) this.#leaveOut(osc.at, osc.end);
        },
      },
      startOffset,
      this.#moves.passes,
    );
  }

  /** Offset in output.raw after the last byte fed. */
  get offset(): number {
    return this.#chunkAt + this.#chunk.length;
  }

  get altScreen(): boolean {
    return this.#alt.active;
  }

  /** The hook has proved itself with a nonce; from here on only its marks open and close blocks. */
  get hasHook(): boolean {
    return this.#hasPrompt;
  }

  /** `chunk` directly follows the previous one. `nowMs` is used for the limits only. */
  feed(chunk: MaskedChunk, nowMs: number): TerminalEvent[] {
    this.#events = this.settle(nowMs);
    this.#nowMs = nowMs;
    this.#chunkAt += this.#chunk.length;
    this.#chunk = chunk.bytes;
    this.#nonceAt.push(...chunk.nonceAt);
    this.#scanner.feed(chunk.bytes);
    this.#endChunk();
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** The title delayed by a limit, once it may pass. Call it some time after the last feed. */
  settle(nowMs: number): TerminalEvent[] {
    const title = this.#oscs.lateTitle(nowMs);
    return title ? [title] : [];
  }

  /** Call when no byte will follow: held bytes are reported as output. */
  end(): TerminalEvent[] {
    this.#giveOut(this.offset);
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #bell(at: number): void {
    if (this.#bells.pass(this.#nowMs)) this.#emit({ type: 'bell', at }, at + 1);
  }

  #esc(esc: { at: number; end: number; intermediate: number; final: number }): void {
    if (this.#alt.takeEsc(esc.final, esc.intermediate)) this.#switched(esc);
    this.#moved(this.#moves.takeEsc(esc), esc);
  }

  #switched({ at, end }: { at: number; end: number }): void {
    this.#moves.setAltScreen(this.#alt.active);
    this.#emit({ type: 'altScreen', at, end, on: this.#alt.active });
  }

  #moved(move: ReturnType<CursorMoves['takeCsi']>, { at, end }: { at: number; end: number }): void {
    if (move === null) return;
    // On the alternate screen only a reset clears the normal screen below.
    if (move !== 'addressed' && !(move !== 'RIS' && this.#alt.active)) this.#cleared(move, { at, end });
    if (move !== 'ED3' && this.#moves.noteAddressed()) this.#emit({ type: 'addressed', at }, end);
  }

  #cleared(by: 'ED2' | 'ED3' | 'RIS', { at, end }: { at: number; end: number }): void {
    if (this.#clears.pass(this.#nowMs)) this.#emit({ type: 'screenCleared', at, end, by });
  }

  #osc(osc: OscString): void {
    const verdict = judgeMarker(osc.payload, this.#nonceAt.includes(osc.at + NONCE_AT_BYTES), true);
    if (verdict === 'marker') this.#marker(osc);
    else if (verdict === 'spoof') this.#emit({ type: 'spoof', at: osc.at }, osc.end);
    else
      for (const event of this.#oscs.take(osc, { nowMs: this.#nowMs, hasHook: this.#hasPrompt }))
        this.#take(event, osc.end);
  }

  #marker(osc: OscString): void {
    this.#leaveOut(osc.at, osc.end);
    const event = parseBlockMarker(osc.payload, osc);
    if (event.type === 'prompt') this.#hasPrompt = true;
    this.#take(event, osc.end);
  }

  #take(event: TerminalEvent, end: number): void {
    if (isBoundary(event)) this.#moves.startOver();
    this.#emit(event, end);
  }

  #isMarker(osc: OscString): boolean {
    return judgeMarker(osc.payload, this.#nonceAt.includes(osc.at + NONCE_AT_BYTES), false) === 'marker';
  }

  /** Adds `event` after the output up to `end`, the end of its subject. */
  #emit(event: TerminalEvent, end = 'end' in event ? event.end : event.at): void {
    this.#giveOut(end);
    this.#events.push(event);
  }

  /** The bytes [from, to) belong to a marker and are not output. */
  #leaveOut(from: number, to: number): void {
    this.#giveOut(from);
    const end = Math.min(to, from + MAX_MARKER_BYTES);
    if (end > this.#doneTo) this.#skipTo(end);
  }

  #skipTo(offset: number): void {
    this.#held = this.#held.subarray(Math.min(this.#held.length, offset - this.#doneTo));
    this.#doneTo = offset;
  }

  #giveOut(to: number): void {
    while (this.#doneTo < to) {
      const isHeld = this.#held.length > 0;
      const source = isHeld ? this.#held : this.#chunk;
      const sourceAt = isHeld ? this.#doneTo : this.#chunkAt;
      const end = Math.min(to, sourceAt + source.length);
      const bytes = source.subarray(this.#doneTo - sourceAt, end - sourceAt);
      this.#events.push({ type: 'output', at: this.#doneTo, end, bytes });
      this.#skipTo(end);
    }
  }

  /** Reports all bytes except those that may still become a marker, and forgets nonces that no marker can need anymore. */
  #endChunk(): void {
    const introducerAt = this.#scanner.introducerAt;
    const limit = introducerAt < 0 ? this.offset : introducerAt;
    const at = this.#scanner.unfinishedAt;
    const payload = this.#scanner.unfinishedOsc;
    const verdict = payload ? judgeMarker(payload, this.#nonceAt.includes(at + NONCE_AT_BYTES), false) : 'other';
    if (verdict === 'open') this.#giveOut(at);
    else {
      if (verdict === 'marker') this.#leaveOut(at, limit);
      this.#giveOut(limit);
    }
    const rest = this.offset - this.#doneTo;
    if (rest > 0) this.#held = this.#held.length === rest ? this.#held : this.#copyEnd(rest);
    if (this.#nonceAt.length > 0) this.#nonceAt = at < 0 ? [] : this.#nonceAt.filter((nonceAt) => nonceAt >= at);
  }

  /** The last `length` bytes, which the next feed may overwrite. */
  #copyEnd(length: number): Uint8Array {
    const copy = new Uint8Array(length);
    copy.set(this.#held);
    copy.set(this.#chunk.subarray(Math.max(0, this.#chunk.length - length)), Math.max(0, length - this.#chunk.length));
    return copy;
  }
}

function isBoundary(event: TerminalEvent): event is BlockMarkEvent {
  return event.type === 'begin' || event.type === 'end' || event.type === 'prompt';
}
