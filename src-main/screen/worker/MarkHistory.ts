import type { OffsetMark } from './screenProtocol.ts';

/** More between two checkpoints come from a program that makes them up; the oldest are let go. */
const MAX_MARKS = 1000;

/** The marks that the worker was told since its last checkpoint, for a worker that must take over from there. */
export class MarkHistory {
  #marks: OffsetMark[] = [];
  #atPrompt = false;
  #text: OffsetMark['kind'] | null = null;

  get marks(): readonly OffsetMark[] {
    return this.#marks;
  }

  /** The shell was at its prompt where the marks begin. */
  get atPrompt(): boolean {
    return this.#atPrompt;
  }

  /** Whose the text is where the marks begin; null where no shell has said. */
  get text(): OffsetMark['kind'] | null {
    return this.#text;
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
      if (kind === 'shellText' || kind === 'programText') this.#text = kind;
    }
  }
}
