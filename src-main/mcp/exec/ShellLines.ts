import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import { type LinePlan, planLine } from './ClientLine.ts';

/** The shell that reads the typed keys. */
export interface LineReader {
  readonly shell: string;
  /** Not the terminal's own shell, so its working directory and the content of its line are unknown. */
  readonly isNested: boolean;
}

/** What a client's keys have put into the line of a terminal's shell, over any number of writes. */
export class ShellLines {
  readonly #terminal: PtyInstance;
  /** The line as the client's own keys made it; null when unknown. */
  #line: string | null = null;
  /** Count of the person's keys when `#line` was known. */
  #keyCount = -1;

  constructor(terminal: PtyInstance) {
    this.#terminal = terminal;
  }

  /** null if a program reads the keys instead of a shell. */
  reader(): LineReader | null {
    const { view, book, input } = this.#terminal;
    const nested = input.nested;
    if (book.runningId !== null) return nested === null ? null : { shell: nested, isNested: true };
    if (nested !== null) return { shell: nested, isNested: true };
    return { shell: view.shell, isNested: !view.atPrompt };
  }

  /** `shown`: text behind the prompt on the screen, null when unknown. */
  plan(bytes: string, shown: string | null): LinePlan {
    const line = this.#known();
    const isOther = line !== null && shown !== null && shown !== line && !this.reader()?.isNested;
    if (line === null || isOther) return planUnknown(bytes);
    return planLine(line, bytes);
  }

  /** The text in the shell's line if all of it comes from a client; '' if the line is empty or unknown. */
  own(): string {
    return this.reader()?.isNested === false ? (this.#known() ?? '') : '';
  }

  sent(bytes: string): void {
    const line = this.#known();
    const plan = line === null ? null : planLine(line, bytes);
    this.#line = plan?.type === 'known' ? plan.line : null;
    if (line === null && /[\r\x03]$/.test(bytes)) this.#line = ''; // Return or Ctrl-C ended the unknown line
    this.#keyCount = this.#terminal.input.keys.count;
  }

  #known(): string | null {
    const { input } = this.#terminal;
    if (input.line.isEmpty) return '';
    return this.#keyCount === input.keys.count ? this.#line : null;
  }
}

/** For a line with unknown content: keys may empty it but not run anything. */
function planUnknown(bytes: string): LinePlan {
  const [first = ''] = bytes;
  if (first === '\x03' || first === '\x15') return planLine('', bytes.slice(1));
  return /[\r\n\x0f]/.test(bytes)
    ? { type: 'unknown', key: 'Return in a line that was not empty' }
    : planLine('', bytes);
}
