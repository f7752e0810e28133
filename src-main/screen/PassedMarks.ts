import type { OffsetMark } from './screenProtocol.ts';

/** More between two checkpoints come from a program that makes them up; the oldest are let go. */
const MAX_MARKS = 1000;

/** The marks that the worker was told since its last checkpoint, for a worker that must take over from there. */
export class PassedMarks {
  #marks: OffsetMark[] = [];
  #atPrompt = false;

  get marks(): readonly OffsetMark[] {
    return this.#marks;
  }

  /** The shell was at its prompt where the marks begin. */
  get atPrompt(): boolean {
    return this.#atPrompt;
  }

  add(marks: readonly OffsetMark[]): void {
    this.#marks.push(...marks);
    if (this.#marks.length > MAX_MARKS) this.#forget(this.#marks.length - MAX_MARKS);
  }

  forgetBefore(offset: number): void {
    const kept = this.#marks.findIndex((mark) => mark.offset >= offset);
    this.#forget(kept < 0 ? this.#marks.length : kept);
  }

  #forget(count: number): void {
    for (const { kind } of this.#marks.splice(0, count)) {
      if (kind === 'prompt') this.#atPrompt = true;
      if (kind === 'begin') this.#atPrompt = false;
    }
  }
}
