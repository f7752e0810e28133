import { foldKeys, type Piece } from '../foldKeys.ts';

/** Longer lines are not looked for whole. */
const MAX_CHARS = 256;

/** What a program was given of a line that was not ended. What the program did not read of it, the shell will. */
export class UnreadLine {
  #text = '';
  /** A program that reads key by key had it: only an end of it may be left. */
  #isTail = false;
  #isByKey = false;
  #isAtPrompt = false;
  #line: (() => string) | undefined;

  /** What is left whole, or not at all; '' where nothing is. */
  get whole(): string {
    return this.#isTail ? '' : this.#text;
  }

  get isEmpty(): boolean {
    return this.#text === '';
  }

  typed(piece: Piece): void {
    this.#text = lastLine(this.#text, piece).slice(-MAX_CHARS);
    this.readBy(this.#isByKey);
  }

  /** Whether the program that runs now reads key by key. */
  readBy(isByKey: boolean): void {
    this.#isByKey = isByKey;
    this.#isTail = this.#text !== '' && (this.#isTail || isByKey);
  }

  /** What is drawn from now on is the shell's. */
  prompted(): void {
    this.#isAtPrompt = true;
  }

  /** `line` gives what is before the cursor. */
  drawn(line: () => string): void {
    this.#line = this.#isAtPrompt ? line : undefined;
  }

  /** What is left, as the end of the line that the shell has drawn; '' while nothing of it is there. */
  left(): string {
    const line = this.isEmpty ? undefined : this.#line?.();
    if (line === undefined) return '';
    if (!this.#isTail) return line.endsWith(this.#text) ? this.#text : '';
    for (let at = 0; at < this.#text.length; at += 1) {
      const end = this.#text.slice(at);
      if (end.trim() !== '' && line.endsWith(end)) return end; // prompts end with a blank
    }
    return '';
  }

  /** Another command begins. */
  restart(): void {
    this.clear();
    this.#isAtPrompt = false;
    this.#line = undefined;
  }

  clear(): void {
    this.#text = '';
    this.#isTail = false;
  }
}

/** What stands in a line after more was typed; a key that no line knows makes it unknown, which is as good as empty. */
function lastLine(line: string, piece: Piece): string {
  const { text, rest } = foldKeys(line, [piece]);
  if (rest) return rest.reduce(lastLine, '');
  return /[\r\n\x00-\x07\x09-\x14\x16\x18-\x1f]/.test(piece.text) ? '' : text;
}
