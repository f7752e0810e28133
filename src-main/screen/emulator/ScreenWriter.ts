import type { Terminal } from '@xterm/headless';
import { WholeCharacters } from '../../contract/wholeCharacters.ts';
import { ImageSlicer } from '../../shared/images/ImageSlicer.ts';
import { ImageStage } from '../../shared/images/ImageStage.ts';
import { PARSER_GROUND, type XtermCore } from '../../shared/xterm/xtermInternals.ts';
import { answerImageQueries } from './imageQueries.ts';
import { OpenSequence } from './OpenSequence.ts';

/**
 * Writes bytes into an emulator, in whole characters and cut around images. Counts them, because the position of its bytes identifies an image.
 * Answers to queries about images go to `reply` during the emulator's lifetime.
 */
export class ScreenWriter {
  readonly #core: XtermCore;
  readonly #images: ImageStage;
  readonly #characters = new WholeCharacters();
  readonly #slicer = new ImageSlicer();
  readonly #open = new OpenSequence();
  /** Offset of the next byte that the emulator parses. */
  #offset = 0;

  constructor(terminal: Terminal, core: XtermCore, reply: (text: string) => void) {
    this.#core = core;
    this.#images = new ImageStage(terminal, { reply });
    answerImageQueries(terminal, reply);
  }

  /** Bytes of an incomplete character: 0 to 3. */
  get heldBytes(): number {
    return this.#characters.heldBytes;
  }

  /** The parser is between sequences. */
  get isGround(): boolean {
    return this.#core._inputHandler._parser.currentState === PARSER_GROUND;
  }

  /** Adds to the state of cells and cursor in `screen`: before it the state of images, after it the beginning of an incomplete sequence. */
  stateOf(screen: string): string {
    return this.#images.state + this.#slicer.state + screen + this.#open.text;
  }

  /** Sets the offset of the next byte in the stream. */
  seek(offset: number): void {
    this.#offset = offset;
  }

  /** Passes all whole characters on in slices; each is parsed when `parse` returns. */
  write(bytes: Uint8Array, parse: (whole: Uint8Array) => void): void {
    const whole = this.#characters.feed(bytes);
    for (const { bytes: slice, range } of this.#slicer.cut(whole, this.#offset)) {
      this.#images.range = range;
      parse(slice);
    }
    this.#offset += whole.length;
    this.#open.track(whole, this.isGround, this.#slicer.isInside);
  }

  /** Restores the state that another emulator has serialized; `write` writes it. */
  restore(state: string, write: (state: Uint8Array) => void): void {
    this.#images.isRestoring = true;
    write(new TextEncoder().encode(state));
    this.#images.isRestoring = false;
    this.#slicer.resume(state);
  }
}
