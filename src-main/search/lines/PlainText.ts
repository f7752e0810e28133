import { ControlTokens } from '../../events/ControlTokens.ts';

/** Output without control sequences: text with its line feeds and tabs. Drops CR before LF; any other CR ends a line. */
export class PlainText {
  readonly #tokens = new ControlTokens();
  readonly #decoder = new TextDecoder();
  #endsInCr = false;

  feed(bytes: Uint8Array): string {
    let text = '';
    for (const { kind, bytes: own } of this.#tokens.feed(bytes))
      if (kind === 'text') text += this.#decoder.decode(own, { stream: true });
    return this.#lines(text);
  }

  end(): string {
    return this.#lines(this.#decoder.decode());
  }

  /** The CR and the LF of a CR LF may be in different chunks. */
  #lines(text: string): string {
    if (text === '') return '';
    const whole = this.#endsInCr ? `\r${text}` : text;
    this.#endsInCr = whole.endsWith('\r');
    const ready = this.#endsInCr ? whole.slice(0, -1) : whole;
    return ready
      .replace(/\r+\n/g, '\n')
      .replace(/\r+/g, '\n')
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
  }
}
