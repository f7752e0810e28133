import type { BlockMarkEvent } from '../../contract/event.ts';
import type { ScreenHandle } from '../../screen/worker/ScreenHandle.ts';
import { detach } from '../../util/strayErrors.ts';
import type { BlockStore } from './BlockStore.ts';
import { editedText } from './editedText.ts';

type Begin = Extract<BlockMarkEvent, { type: 'begin' }>;

/** A command that began without a known text. */
interface Textless {
  readonly begin: Begin;
  readonly blockId: string;
}

/** Texts of commands for which the hook has no exact one: asks the screen for the cells between the prompt's end and the output. */
export class CommandTexts {
  readonly #book: Pick<BlockStore, 'runningId' | 'textRead'>;
  readonly #screen: Pick<ScreenHandle, 'beginRows'>;
  readonly #now: () => { atMs: number; monoMs: number };
  /** Commands without a text that have begun since bytes last went to the screen. */
  readonly #textless: Textless[] = [];

  constructor(
    book: Pick<BlockStore, 'runningId' | 'textRead'>,
    screen: Pick<ScreenHandle, 'beginRows'>,
    now: () => { atMs: number; monoMs: number },
  ) {
    this.#book = book;
    this.#screen = screen;
    this.#now = now;
  }

  /** Call this after the book has taken the event. */
  began(begin: Begin): void {
    const { runningId } = this.#book;
    if (begin.cmd === null && runningId !== null) this.#textless.push({ begin, blockId: runningId });
  }

  /** Call this after bytes went to the screen. */
  look(): void {
    if (this.#textless.length > 0) detach('CommandTexts', this.#read(this.#textless.splice(0)));
  }

  async #read(textless: readonly Textless[]): Promise<void> {
    const rows = await this.#screen.beginRows().catch(() => []); // the screen was closed or its worker is being replaced
    for (const { begin, blockId } of textless) {
      const begun = rows.find(({ offset }) => offset === begin.end);
      const edited = editedText(begin, begun?.commandRows);
      if (edited !== null) this.#book.textRead(blockId, edited, this.#now(), 'hook');
      else this.#book.textRead(blockId, begun?.commandText ?? null, this.#now());
    }
  }
}
