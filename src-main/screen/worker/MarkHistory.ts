import { isOfText } from '../emulator/CommandMarks.ts';
import type { OffsetMark } from './screenProtocol.ts';

/** More marks between two checkpoints come from a program that fakes them; the oldest are dropped. */
const MAX_MARKS = 1000;

/** The marks sent to the worker since its last checkpoint, for a worker that takes over from there. */
export class MarkHistory {
  #marks: OffsetMark[] = [];
  #atPrompt = false;
  #text: OffsetMark['kind'] | null = null;

  get marks(): readonly OffsetMark[] {
    return this.#marks;
  }

  /** Whether the shell was at its prompt before the first mark. */
  get atPrompt(): boolean {
    return this.#atPrompt;
  }

  /** Whose text precedes the first mark; null if no shell has reported it. */
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
      if (isOfText(kind)) this.#text = kind;
    }
  }
}
