/** How the agent draws a change. */
export type ParagraphDrawing =
  | 'repaint' // alternate screen, drawn in full each time
  | 'scrollRegion' // alternate screen: scrolls a region up and draws its last rows
  | 'redraw' // normal screen: erases the last message upwards and draws it again
  | 'reprint'; // normal screen: as `redraw`, but clears (ED 2, ED 3) and prints all messages once the last one is taller than the screen

const WORDS = 'lorem harbour lantern copper seven mistral keel anchor rope tide'.split(' ');
const BOX_ROWS = 4;

/** A generator of numbers in [0, 1), the same sequence for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed * 2654435761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4294967296;
  };
}

/** A paragraph of about `chars` characters. Its words are all different, or with `isAlike` the same five again and again, so that rows look alike. */
export function paragraph(chars: number, isAlike: boolean, random: () => number): string {
  const words: string[] = [];
  for (let length = 0; length < chars; length += (words.at(-1)?.length ?? 0) + 1) {
    const word = WORDS[isAlike ? words.length % 5 : Math.floor(random() * WORDS.length)] ?? '';
    words.push(isAlike ? word : `${word}${words.length}`);
  }
  return `${words.join(' ')}.`;
}

interface Said {
  readonly kind: 'user' | 'model';
  text: string;
}

/** A program that looks like Claude Code without styles and answers with paragraphs of any height. Each method returns the bytes that it prints. */
export class ParagraphAgent {
  readonly said: Said[] = [];
  readonly #drawing: ParagraphDrawing;
  #cols: number;
  #rows: number;
  #isBusy = false;
  /** Rows of the normal screen that the next call erases: the growing message and the box. */
  #live = 0;
  #shown: string[] = [];

  constructor(drawing: ParagraphDrawing, cols: number, rows: number) {
    this.#drawing = drawing;
    this.#cols = cols;
    this.#rows = rows;
  }

  get isAlternate(): boolean {
    return this.#drawing === 'repaint' || this.#drawing === 'scrollRegion';
  }

  start(): string {
    return this.isAlternate ? `\x1b[?1049h\x1b[?25l${this.#repainted()}` : this.#printed([]);
  }

  ask(text: string): string {
    const settled = this.#settled();
    this.said.push({ kind: 'user', text }, { kind: 'model', text: '' });
    this.#isBusy = true;
    const asked = this.#rowsOf({ kind: 'user', text });
    return settled + (this.isAlternate ? this.#drawn() : this.#printed(asked));
  }

  /** `text` is the answer so far. */
  stream(text: string): string {
    const last = this.said.at(-1);
    if (last) last.text = text;
    return this.isAlternate ? this.#drawn() : this.#printed([]);
  }

  rest(): string {
    this.#isBusy = false;
    return this.isAlternate ? this.#drawn() : this.#printed([]);
  }

  /** Draws everything again in the new size. */
  resized(cols: number, rows: number): string {
    this.#cols = cols;
    this.#rows = rows;
    this.#shown = [];
    if (this.isAlternate) return this.#repainted();
    const said = this.said.slice(0, -1).flatMap((own) => this.#rowsOf(own));
    this.#live = 0;
    return `\x1b[2J\x1b[3J\x1b[H${this.#printed(said)}`;
  }

  #rowsOf({ kind, text }: Said): string[] {
    if (text === '') return [];
    const rows: string[] = [];
    let row = '';
    for (const word of text.split(' ')) {
      if (row !== '' && row.length + 1 + word.length > this.#cols - 3) {
        rows.push(row);
        row = '';
      }
      row = row === '' ? word : `${row} ${word}`;
    }
    rows.push(row);
    const glyph = kind === 'user' ? '❯' : '●';
    return [...rows.map((own, at) => `${at === 0 ? glyph : ' '} ${own}`), ''];
  }

  #box(): string[] {
    const rule = '─'.repeat(this.#cols - 1);
    return [rule, '❯ ', rule, this.#isBusy ? '  esc to interrupt' : '  ? for shortcuts'];
  }

  #screen(): string[] {
    const body = this.said.flatMap((own) => this.#rowsOf(own)).slice(-(this.#rows - BOX_ROWS));
    const blank = new Array<string>(this.#rows - BOX_ROWS - body.length).fill('');
    return [...body, ...blank, ...this.#box()];
  }

  #drawn(): string {
    const before = this.#shown;
    if (this.#drawing === 'repaint' || before.length === 0) return this.#repainted();
    const now = this.#screen();
    const bottom = this.#rows - BOX_ROWS;
    let by = 0;
    while (by < bottom && !now.slice(0, bottom - by - 2).every((row, at) => row === before[at + by])) by += 1;
    if (by === 0 || by >= bottom - 2) return this.#repainted();
    this.#shown = now;
    const fresh = now.map((row, at) =>
      row === before[at + by] && at < bottom - by ? '' : `\x1b[${at + 1};1H\x1b[2K${row}`,
    );
    return `\x1b[1;${bottom}r\x1b[${by}S\x1b[r${fresh.join('')}`;
  }

  #repainted(): string {
    this.#shown = this.#screen();
    return this.#shown.map((row, at) => `\x1b[${at + 1};1H${row}\x1b[K`).join('');
  }

  /** Prints the finished message for good. The growing message and the box are erased and drawn again by the next call. */
  #settled(): string {
    if (this.isAlternate) return '';
    const last = this.said.at(-1);
    const rows = last ? this.#rowsOf(last) : [];
    const text = `${this.#erased()}${rows.map((row) => `${row}\r\n`).join('')}`;
    this.#live = 0;
    return text;
  }

  #erased(): string {
    const up = Math.min(this.#live, this.#rows) - 1;
    return up < 0 ? '' : `\x1b[2K${'\x1b[1A\x1b[2K'.repeat(Math.max(0, up))}\r`;
  }

  #printed(done: readonly string[]): string {
    const last = this.said.at(-1);
    const growing = last?.kind === 'model' ? this.#rowsOf(last) : [];
    const live = [...growing, ...this.#box()];
    const isTall = live.length >= this.#rows;
    if (isTall && this.#drawing === 'reprint') {
      const all = this.said.slice(0, -1).flatMap((own) => this.#rowsOf(own));
      this.#live = live.length;
      return `\x1b[2J\x1b[3J\x1b[H${[...all, ...live].join('\r\n')}`;
    }
    // Rows above the screen cannot be erased, so a taller message shows only the last rows that fit.
    const shown = isTall ? live.slice(-(this.#rows - 1)) : live;
    const text = `${this.#erased()}${done.map((row) => `${row}\r\n`).join('')}${shown.join('\r\n')}`;
    this.#live = shown.length;
    return text;
  }
}
