import type { CsiSequence } from './ControlSequence.ts';
import { type CsiPasses, PASS, PASS_UNLESS_HOME, passSgr } from './csiPasses.ts';

/** Finals without prefix or intermediate that take the cursor off its line or move lines: CUU CUD CNL CPL CUP IL DL SU SD VPA VPR HVP DECSTBM SCORC. */
const OFF_THE_LINE = new Set([...'ABEFHLMSTdefru'].map((final) => final.charCodeAt(0)));
/** Finals that move or edit within the line: CUF CUB CHA CHT CBT EL ECH DCH ICH REP HPA HPR. */
const NEVER_TOLD = [...'CDGIZKXP@b`a'].map((final) => final.charCodeAt(0));
const CUP = 0x48;
const HVP = 0x66;
const ED = 0x4a;
const RIS = 0x63;
const RI = 0x4d;
const DECRC = 0x38;

export type CursorMove = 'addressed' | 'ED2' | 'ED3' | 'RIS';

/** Detects cursor moves that make line-wise text differ from the screen, and clears of the screen. */
export class CursorMoves {
  /** End offsets of the last sequence that moved the cursor home, and of the last ED 2; -1 for none. */
  #homeEnd = -1;
  #clearEnd = -1;
  #wasAddressed = false;
  #isAlt = false;
  /** Sequences that the scanner may skip: after a block's first move, and on the alternate screen, all others like it. */
  readonly passes: CsiPasses = passSgr();

  constructor() {
    for (const final of NEVER_TOLD) this.passes[final] = PASS;
  }

  /** A new block or prompt: its first move counts again. */
  startOver(): void {
    this.#wasAddressed = false;
    this.#updatePasses();
  }

  /** On the alternate screen every program moves the cursor, and the text below is not affected. */
  setAltScreen(isAlt: boolean): void {
    this.#isAlt = isAlt;
    this.#updatePasses();
  }

  /** True for the first move since `startOver`; further ones add no information. */
  noteAddressed(): boolean {
    if (this.#wasAddressed || this.#isAlt) return false;
    this.#wasAddressed = true;
    this.#updatePasses();
    return true;
  }

  #updatePasses(): void {
    const isTold = !this.#wasAddressed && !this.#isAlt;
    for (const final of OFF_THE_LINE) this.passes[final] = isTold ? 0 : PASS;
    for (const final of [CUP, HVP]) this.passes[final] = isTold ? 0 : PASS_UNLESS_HOME;
  }

  takeCsi(csi: CsiSequence): CursorMove | null {
    if (csi.prefix !== 0 || csi.intermediate !== 0) return null;
    if (csi.final === ED) return this.#erased(csi);
    if (!OFF_THE_LINE.has(csi.final)) return null;
    const isHome = (csi.final === CUP || csi.final === HVP) && csi.param(0) <= 1 && csi.param(1) <= 1;
    if (!isHome) return 'addressed';
    this.#homeEnd = csi.end;
    return this.#clearEnd === csi.at ? 'ED2' : 'addressed';
  }

  takeEsc(esc: { intermediate: number; final: number }): CursorMove | null {
    if (esc.intermediate !== 0) return null;
    if (esc.final === RIS) return 'RIS';
    return esc.final === RI || esc.final === DECRC ? 'addressed' : null;
  }

  /**
   * ED 2 clears the screen if the cursor is moved home before or after it: `CSI H CSI 2 J` as printed by `clear`, or the reverse. ED 0 clears it
   * after the cursor was moved home, as printed by `clear` on terminals like screen's.
   */
  #erased(csi: CsiSequence): CursorMove | null {
    const mode = csi.param(0);
    if (mode === 3) return 'ED3';
    if (mode === 1) return 'addressed';
    if (mode === 0) return this.#homeEnd === csi.at ? 'ED2' : null;
    if (mode !== 2) return null;
    this.#clearEnd = csi.end;
    return this.#homeEnd === csi.at ? 'ED2' : 'addressed';
  }
}
