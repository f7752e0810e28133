import type { ChatMessage } from '../../../contract/chat/chat.ts';
import { plainWords } from './plainWords.ts';

/** What the person wrote in the agent's input box, and what of it was sent. */
export class Drafts {
  /** What stands in the box. */
  #now = '';
  /** What stood there last, when something did that was not being erased. */
  #last = '';
  /** What was sent last, by the keys and by the box; null where no keys are reported: then only the box tells. */
  #sent: readonly string[] | null = null;
  #given: readonly string[] = [];
  #hasMatched = false;

  /** What was typed since the last prompt, as far as it is known, and on the agent's command line. */
  get typed(): readonly string[] {
    return [this.#last, ...(this.#sent ?? []), ...this.#given];
  }

  /** Nothing was sent to the agent since it started, as far as keys and box tell. */
  get isUnused(): boolean {
    return this.#sent === null && !this.#hasMatched;
  }

  /** A prompt is in the log now: it may be one that was typed. */
  noted(prompt: string): void {
    const words = plainWords(prompt);
    this.#hasMatched ||= this.typed.some((text) => text !== '' && plainWords(text) === words);
  }

  /** Whether the keys sent a prompt that `log` does not have. */
  sentSince(log: readonly ChatMessage[]): boolean {
    const sent = (this.#sent ?? []).filter((text) => text !== '' && text !== this.#now && !text.startsWith('/'));
    const isKnown = (text: string) =>
      log.some((known) => known.kind === 'user' && plainWords(known.text) === plainWords(text));
    return sent.length > 0 && !sent.some(isKnown);
  }

  /** Another agent starts: its keys are not known yet. `given`: the words of its command line, one of which may be a prompt. */
  begin(given: readonly string[] = []): void {
    this.#sent = null;
    this.#given = given;
    this.#hasMatched = false;
  }

  /** The box shows `seen`; null where it is not seen. Returns what may have led to the picture. */
  shown(seen: string | null): readonly string[] {
    const draft = seen ?? this.#now;
    const before = this.#last;
    if (draft !== '' && draft !== this.#now) this.#last = isErased(this.#now, draft) ? '' : draft;
    this.#now = draft;
    return this.#sent ?? [before, this.#last];
  }

  /** Return was pressed: `text` is what the keys entered, null where that is not known. An empty box answers a question, if anything. */
  sent(text: string | null): void {
    const sent = [text ?? '', this.#now];
    if (sent.some((known) => known !== '')) this.#sent = sent;
  }

  /** What led here counts once. */
  forget(): void {
    this.#last = '';
    if (this.#sent !== null) this.#sent = [];
  }
}

/** `now` is what is left of `before`. */
function isErased(before: string, now: string): boolean {
  return now.length < before.length && before.startsWith(now);
}
