import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import { type LinePlan, planLine } from './ClientLine.ts';

/** Who reads what is typed, when it is a shell. */
export interface LineReader {
  readonly shell: string;
  /** Not the terminal's own shell, so that nothing tells where it stands and what its line holds. */
  readonly isNested: boolean;
}

/** What a client's keys have put into the line of a terminal's shell, over any number of writes. */
export class ShellLines {
  readonly #terminal: PtyInstance;
  /** What the client's own keys made of the line; null when it cannot be told. */
  #line: string | null = null;
  /** Of the person's keys when `#line` was known. */
  #keyCount = -1;

  constructor(terminal: PtyInstance) {
    this.#terminal = terminal;
  }

  /** null: a program reads, and no shell. */
  reader(): LineReader | null {
    const { view, book, input } = this.#terminal;
    const nested = input.nested;
    if (book.runningId !== null) return nested === null ? null : { shell: nested, isNested: true };
    if (nested !== null) return { shell: nested, isNested: true };
    return { shell: view.shell, isNested: !view.atPrompt };
  }

  /** `shown`: what the screen shows behind the prompt, null when that is not known. */
  plan(bytes: string, shown: string | null): LinePlan {
    const line = this.#known();
    const isOther = line !== null && shown !== null && shown !== line && !this.reader()?.isNested;
    if (line === null || isOther) return planUnknown(bytes);
    return planLine(line, bytes);
  }

  /** The text in the shell's line when all of it is a client's; '' when there is none or the line is unknown. */
  own(): string {
    return this.reader()?.isNested === false ? (this.#known() ?? '') : '';
  }

  sent(bytes: string): void {
    const line = this.#known();
    const plan = line === null ? null : planLine(line, bytes);
    this.#line = plan?.type === 'known' ? plan.line : null;
    if (line === null && /[\r\x03]$/.test(bytes)) this.#line = ''; // whatever stood there is gone
    this.#keyCount = this.#terminal.input.keys.count;
  }

  #known(): string | null {
    const { input } = this.#terminal;
    if (input.line.isEmpty) return '';
    return this.#keyCount === input.keys.count ? this.#line : null;
  }
}

/** Into a line that holds nobody knows what: it may be emptied, and nothing may be run. */
function planUnknown(bytes: string): LinePlan {
  const [first = ''] = bytes;
  if (first === '\x03' || first === '\x15') return planLine('', bytes.slice(1));
  return /[\r\n\x0f]/.test(bytes)
    ? { type: 'unknown', key: 'Return in a line that was not empty' }
    : planLine('', bytes);
}
