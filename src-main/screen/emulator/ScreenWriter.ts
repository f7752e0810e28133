import type { Terminal } from '@xterm/headless';
import { WholeCharacters } from '../../contract/wholeCharacters.ts';
import { ImageSlicer } from '../../shared/images/ImageSlicer.ts';
import { ImageStage } from '../../shared/images/ImageStage.ts';
import { PARSER_GROUND, type XtermCore } from '../../shared/xterm/xtermInternals.ts';
import { answerImageQueries } from './imageQueries.ts';
import { OpenSequence } from './OpenSequence.ts';

/**
 * Brings bytes into an emulator: whole characters only, and cut around images. Counts them, since an image is known by where its bytes are. What
 * programs ask about images goes to `reply`, as long as the emulator lives.
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

  /** Bytes of a character that is not whole yet: 0 to 3. */
  get heldBytes(): number {
    return this.#characters.heldBytes;
  }

  /** The parser is between sequences. */
  get isGround(): boolean {
    return this.#core._inputHandler._parser.currentState === PARSER_GROUND;
  }

  /** A state whose cells and cursor are `screen`: before it what is known of images besides, behind it the beginning of a sequence that is half read. */
  stateOf(screen: string): string {
    return this.#images.state + this.#slicer.state + screen + this.#open.text;
  }

  /** The next byte's place in the stream. */
  seek(offset: number): void {
    this.#offset = offset;
  }

  /** Hands on all whole characters in stretches, each parsed when `parse` returns. */
  write(bytes: Uint8Array, parse: (whole: Uint8Array) => void): void {
    const whole = this.#characters.feed(bytes);
    for (const { bytes: slice, range } of this.#slicer.cut(whole, this.#offset)) {
      this.#images.range = range;
      parse(slice);
    }
    this.#offset += whole.length;
    this.#open.track(whole, this.isGround, this.#slicer.isInside);
  }

  /** Takes over the state that another emulator has serialized; `write` writes it. */
  restore(state: string, write: (state: Uint8Array) => void): void {
    this.#images.isRestoring = true;
    write(new TextEncoder().encode(state));
    this.#images.isRestoring = false;
    this.#slicer.resume(state);
  }
}
