import type { Edit } from './composerKeys.ts';
import { lastWord } from './lineWords.ts';

interface Line {
  text: string;
  start: number;
  end: number;
}

/** Alt+. of bash and zsh: inserts the last word of the previous command; pressed again, replaces it with that of the command before. */
export class LastWords {
  readonly #commands: () => Promise<readonly string[]>;
  /** Newest first, without repeats. */
  #words: readonly string[] = [];
  #at = 0;
  /** The last inserted word, and the line with it. */
  #inserted: { word: string; text: string; caret: number } | undefined;

  /** `commands`: newest first. */
  constructor(commands: () => Promise<readonly string[]>) {
    this.#commands = commands;
  }

  /** The edit to apply; undefined if there is no further command. */
  async next(line: Line): Promise<Edit | undefined> {
    const again = this.#again(line);
    if (!again) {
      this.#words = [...new Set((await this.#commands()).map(lastWord).filter((word) => word !== ''))];
      this.#at = 0;
    }
    const word = this.#words[this.#at];
    if (word === undefined) return undefined;
    this.#at += 1;
    const from = again ? line.start - again.word.length : line.start;
    const text = line.text.slice(0, from) + word + line.text.slice(line.end);
    this.#inserted = { word, text, caret: from + word.length };
    return { from, to: line.end, insert: word };
  }

  /** Whether the line is unchanged since the last press. */
  #again({ text, start, end }: Line) {
    const last = this.#inserted;
    return last && last.text === text && start === end && start === last.caret ? last : undefined;
  }
}
