import { type ControlSink, CsiSequence, type OscString } from './ControlSequence.ts';
import { BEL, C1_LEAD, CAN, ESC, GROUND_STOP, isC1, STRING_STOP, SUB } from './controlBytes.ts';
import { type CsiPasses, endOfPassed, passSgr } from './csiPasses.ts';
import { FarStops } from './FarStops.ts';
import { OscPayload } from './OscPayload.ts';
import { TextInSequence } from './TextInSequence.ts';

const SGR_FINAL = 0x6d;
const Ground = 0;
const Escape = 1;
const EscapeIntermediate = 2;
const Csi = 3;
const Osc = 4;
/** An ESC inside an OSC: it ends the string, and a `\` after it belongs to the string. */
const OscEscape = 5;
/** DCS, SOS, PM, APC: they contain nothing of ours. */
const OtherString = 6;
type State = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/** Number of bytes scanned one by one before the native search takes over. */
const NEAR_BYTES = 64;

/**
 * Finds the control sequences in terminal output, ECMA-48 in UTF-8, with the states of xterm.js' parser, so that both agree on sequences even in
 * broken streams. Chunks may split anything anywhere.
 * Between chunks it keeps the start of an unfinished OSC: at most 64 KiB, for OSC 52 as much as 1 MiB of text needs. It scans the rest of the string
 * without keeping it. Any ESC, CAN, SUB or C1 ends any string, so output cannot hide what follows it.
 * Never throws.
 */
export class ControlScanner {
  readonly #sink: ControlSink;
  readonly #passes: CsiPasses;
  readonly #csi = new CsiSequence();
  #state: State = Ground;
  /** Offset of the first byte of the current sequence. */
  #at = 0;
  /** Offset of the current chunk's first byte. */
  #base: number;
  #intermediate = 0;
  /** Offset of a 0xC2 that was the last byte of a chunk or of a part of a string, or -1. */
  #c1LeadAt = -1;
  readonly #payload = new OscPayload();
  readonly #far = new FarStops();
  /** Offset after the payload of the OSC that an ESC has just ended. */
  #oscEscapeAt = 0;
  readonly #text = new TextInSequence();

  constructor(sink: ControlSink, startOffset = 0, passes: CsiPasses = passSgr()) {
    this.#sink = sink;
    this.#passes = passes;
    this.#base = startOffset;
  }

  /** Offset of an unfinished sequence at the end of the stream; -1 outside of sequences. */
  get unfinishedAt(): number {
    return this.#state === Ground ? this.#c1LeadAt : this.#at;
  }

  /** The kept bytes of the unfinished OSC; undefined outside of one. A view. */
  get unfinishedOsc(): Uint8Array | undefined {
    return this.#state === Osc || this.#state === OscEscape ? this.#payload.bytes : undefined;
  }

  /** Offset of an introducer that may still become a sequence (`ESC`, `C2`), also inside a string; -1 if none. */
  get introducerAt(): number {
    if (this.#state === OscEscape) return this.#oscEscapeAt;
    if (this.#state === Escape) return this.#at;
    return this.#c1LeadAt;
  }

  feed(bytes: Uint8Array): void {
    this.#far.startChunk();
    let i = 0;
    if (this.#c1LeadAt >= 0 && bytes.length > 0) i = this.#afterC1Lead(bytes);
    while (i < bytes.length) {
      if (this.#state === Ground) i = this.#ground(bytes, i);
      else if (this.#state === Osc || this.#state === OtherString) i = this.#string(bytes, i);
      else i = this.#sequence(bytes, i);
    }
    this.#base += bytes.length;
  }

  /** Scans outside of sequences and returns the index where it stopped; the loop skips sequences that need not be reported. */
  #ground(bytes: Uint8Array, from: number): number {
    const length = bytes.length;
    let i = from;
    for (;;) {
      const near = Math.min(length, i + NEAR_BYTES);
      while (i < near && GROUND_STOP[bytes[i] as number] === 0) i++;
      if (i === near && i < length) i = this.#far.next(bytes, i);
      if (i >= length) return length;
      const byte = bytes[i] as number;
      if (byte === ESC) {
        const end = endOfPassed(bytes, i, this.#passes);
        if (end === 0) return this.#enter(Escape, i);
        i = end;
      } else if (byte === BEL) {
        this.#sink.bell(this.#base + i);
        i++;
      } else {
        i = this.#c1(bytes, i);
        if (this.#state !== Ground) return i;
      }
    }
  }

  #enter(state: State, i: number): number {
    this.#state = state;
    this.#at = this.#base + i;
    this.#intermediate = 0;
    this.#text.clear();
    return i + 1;
  }

  /** `bytes[i]` is 0xC2. Handles a complete C1 control, waits at the end of the chunk; returns the index to continue at. */
  #c1(bytes: Uint8Array, i: number): number {
    if (i + 1 === bytes.length) {
      this.#c1LeadAt = this.#base + i;
      return i + 1;
    }
    const second = bytes[i + 1] as number;
    if (second < 0x80 || second > 0x9f) return i + 1;
    this.#control1(second, this.#base + i);
    return i + 2;
  }

  /** The first byte after a chunk that ended with 0xC2. */
  #afterC1Lead(bytes: Uint8Array): number {
    const at = this.#c1LeadAt;
    const second = bytes[0] as number;
    this.#c1LeadAt = -1;
    if (second < 0x80 || second > 0x9f) {
      this.#keep(LEAD, 0, 1);
      return 0;
    }
    this.#control1(second, at);
    return 1;
  }

  /** A C1 control takes effect in every state. Only ST ends an OSC properly; the others abandon what they interrupt. */
  #control1(control: number, at: number): void {
    if (this.#state === Osc && control === 0x9c) this.#sink.osc(this.#oscTo(at + 2));
    else if (this.#state === Osc) this.#sink.oscAbandoned(this.#oscTo(at));
    this.#state = Ground;
    this.#at = at;
    this.#text.clear();
    if (control === 0x9b) this.#startCsi(at);
    else if (control === 0x9d) this.#startString(Osc);
    else if (control === 0x90 || control === 0x98 || control === 0x9e || control === 0x9f)
      this.#startString(OtherString);
    else if (control !== 0x9c) this.#sink.esc({ at, end: at + 2, intermediate: 0, final: control - 0x40 });
  }

  #startCsi(at: number): void {
    this.#state = Csi;
    this.#csi.start(at);
  }

  #startString(state: State): void {
    this.#state = state;
    this.#payload.clear();
  }

  /** Scans inside a string, to its end or the chunk's. */
  #string(bytes: Uint8Array, from: number): number {
    let i = from;
    while (i < bytes.length && STRING_STOP[bytes[i] as number] === 0) i++;
    if (i === bytes.length) {
      this.#keep(bytes, from, i);
      return i;
    }
    const byte = bytes[i] as number;
    const isText = byte === C1_LEAD || (byte === BEL && this.#state === OtherString);
    if (isText && !isC1(bytes, i)) {
      this.#keep(bytes, from, byte === C1_LEAD && i + 1 === bytes.length ? i : i + 1);
      if (byte === C1_LEAD && i + 1 === bytes.length) this.#c1LeadAt = this.#base + i;
      return i + 1;
    }
    this.#keep(bytes, from, i);
    return this.#leaveString(bytes, i);
  }

  /** `bytes[i]` ends the string: BEL, CAN, SUB, ESC or the lead of a C1 control. */
  #leaveString(bytes: Uint8Array, i: number): number {
    const byte = bytes[i] as number;
    if (byte === C1_LEAD) {
      this.#control1(bytes[i + 1] as number, this.#base + i);
      return i + 2;
    }
    if (byte === ESC) {
      if (this.#state !== Osc) return this.#enter(Escape, i);
      this.#state = OscEscape;
      this.#oscEscapeAt = this.#base + i;
      return i + 1;
    }
    if (byte === BEL) this.#sink.osc(this.#oscTo(this.#base + i + 1));
    else if (this.#state === Osc) this.#sink.oscAbandoned(this.#oscTo(this.#base + i));
    this.#state = Ground;
    return i + 1;
  }

  #oscTo(end: number): OscString {
    return { at: this.#at, end, payload: this.#payload.bytes, isCut: this.#payload.isCut };
  }

  #keep(bytes: Uint8Array, from: number, to: number): void {
    if (this.#state === Osc) this.#payload.add(bytes, from, to);
  }

  /** Scans inside an ESC or CSI sequence. */
  #sequence(bytes: Uint8Array, from: number): number {
    let i = from;
    while (i < bytes.length) {
      const byte = bytes[i] as number;
      if ((byte & 0xc0) !== 0x80) this.#text.clear();
      if (this.#state === OscEscape) return this.#afterOscEscape(byte, i);
      if (byte === ESC) this.#enter(Escape, i);
      else if (byte === CAN || byte === SUB) this.#state = Ground;
      else if (byte === BEL) this.#sink.bell(this.#base + i);
      else if (byte >= 0x80) {
        if (byte === C1_LEAD) return this.#c1InSequence(bytes, i);
        this.#nonAscii(byte);
      } else if (byte >= 0x20 && byte !== 0x7f) this.#printable(byte, i);
      i++;
      if (this.#state !== Csi && this.#state !== Escape && this.#state !== EscapeIntermediate) return i;
    }
    return i;
  }

  /** The ESC has ended the string, whatever follows: `\` completes the terminator, any other byte begins something new. */
  #afterOscEscape(byte: number, i: number): number {
    const isTerminator = byte === 0x5c;
    this.#sink.osc(this.#oscTo(isTerminator ? this.#base + i + 1 : this.#oscEscapeAt));
    this.#state = isTerminator ? Ground : Escape;
    this.#at = this.#oscEscapeAt;
    this.#intermediate = 0;
    this.#text.clear();
    return isTerminator ? i + 1 : i;
  }

  #printable(byte: number, i: number): void {
    if (this.#state === Csi) this.#csiByte(byte, i);
    else this.#escByte(byte, i);
  }

  #c1InSequence(bytes: Uint8Array, i: number): number {
    const next = this.#c1(bytes, i);
    // A character of U+00A0–U+00BF; the byte after 0xC2 then goes through `#nonAscii` as its continuation.
    if (next === i + 1) this.#nonAscii(C1_LEAD);
    return next;
  }

  /** A non-ASCII character inside a sequence aborts it, except in a CSI that is being ignored. */
  #nonAscii(byte: number): void {
    if (this.#text.completes(byte) && (this.#state !== Csi || !this.#csi.isIgnored)) this.#state = Ground;
  }

  #escByte(byte: number, i: number): void {
    if (byte < 0x30) {
      this.#intermediate = byte;
      this.#state = EscapeIntermediate;
    } else if (this.#state === EscapeIntermediate) this.#endEsc(byte, i);
    else if (byte === 0x5b) this.#startCsi(this.#at);
    else if (byte === 0x5d) this.#startString(Osc);
    else if (byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f) this.#startString(OtherString);
    else this.#endEsc(byte, i);
  }

  #endEsc(final: number, i: number): void {
    this.#state = Ground;
    this.#sink.esc({ at: this.#at, end: this.#base + i + 1, intermediate: this.#intermediate, final });
  }

  #csiByte(byte: number, i: number): void {
    if (byte < 0x40) {
      this.#csi.take(byte);
      return;
    }
    this.#state = Ground;
    if (this.#csi.isIgnored || (byte === SGR_FINAL && this.#csi.prefix === 0)) return;
    this.#csi.final = byte;
    this.#csi.end = this.#base + i + 1;
    this.#sink.csi(this.#csi);
  }
}

const LEAD = new Uint8Array([C1_LEAD]);
