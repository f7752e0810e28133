import type { CsiSequence } from './ControlSequence.ts';

const QUESTION_MARK = 0x3f;
const SET = 0x68; // h
const RESET = 0x6c; // l
const RIS = 0x63; // c

/** Tracks whether the alternate screen is shown: DEC private modes 47, 1047 and 1049, alone or among others, and RIS. */
export class AltScreenTracker {
  #active = false;

  get active(): boolean {
    return this.#active;
  }

  /** True if the sequence has switched the screen. */
  takeCsi(csi: CsiSequence): boolean {
    if (csi.prefix !== QUESTION_MARK || csi.intermediate !== 0 || (csi.final !== SET && csi.final !== RESET))
      return false;
    for (let i = 0; i < csi.count; i++) {
      const mode = csi.params[i];
      if (mode === 1049 || mode === 1047 || mode === 47) return this.#set(csi.final === SET);
    }
    return false;
  }

  /** True if the sequence has switched the screen. */
  takeEsc(final: number, intermediate: number): boolean {
    return final === RIS && intermediate === 0 && this.#set(false);
  }

  #set(active: boolean): boolean {
    const changed = active !== this.#active;
    this.#active = active;
    return changed;
  }
}
