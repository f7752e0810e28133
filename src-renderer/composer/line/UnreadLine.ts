import type { StreamMark } from '../../../src-main/contract/terminal.ts';
import { foldKeys, type Piece } from '../foldKeys.ts';

/** Longer lines are not searched whole. */
const MAX_CHARS = 256;

/** The unfinished line that was sent to a program. The shell gets the part that the program did not read. */
export class UnreadLine {
  #text = '';
  /** A program that reads key by key had the line, so only an end of it may be left. */
  #isTail = false;
  #isByKey = false;
  #isAtPrompt = false;
  #line: (() => string) | undefined;

  /** The unread line if all of it is left, else ''. */
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

  /** From a prompt up to the next command, the shell draws its own line. */
  passed(mark: StreamMark['kind']): void {
    this.#isAtPrompt = mark === 'prompt';
    this.#line = undefined;
  }

  /** `line` returns the text before the cursor. It references the whole emulator, so it is kept only while text is unread. */
  drawn(line: () => string): void {
    this.#line = this.#isAtPrompt && !this.isEmpty ? line : undefined;
  }

  /** The unread text at the end of the shell's drawn line; '' until some of it is drawn. */
  left(): string {
    const line = this.isEmpty ? undefined : this.#line?.();
    if (line === undefined) return '';
    if (!this.#isTail) return line.endsWith(this.#text) ? this.#text : '';
    for (let at = 0; at < this.#text.length; at += 1) {
      const end = this.#text.slice(at);
      if (end.trim() !== '' && line.endsWith(end)) return end; // prompts end with a space
    }
    return '';
  }

  /** Call when another command begins. */
  restart(): void {
    this.clear();
    this.#isAtPrompt = false;
  }

  clear(): void {
    this.#text = '';
    this.#isTail = false;
    this.#line = undefined;
  }
}

/** The line after `piece`; empty if a key in it may have changed the line in an unknown way. */
function lastLine(line: string, piece: Piece): string {
  const { text, rest } = foldKeys(line, [piece]);
  if (rest) return rest.reduce(lastLine, '');
  return /[\r\n\x00-\x07\x09-\x14\x16\x18-\x1f]/.test(piece.text) ? '' : text;
}
