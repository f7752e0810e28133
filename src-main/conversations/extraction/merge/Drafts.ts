import type { ChatMessage } from '../../../contract/chat/chat.ts';
import { TORN_CHARS } from './answered.ts';
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
  /** How what was sent since the agent started begins; null once something was sent that neither keys nor box tell. */
  #starts: Set<string> | null = new Set();

  /** What was typed since the last prompt, as far as it is known, and on the agent's command line. */
  get typed(): readonly string[] {
    return [this.#last, ...(this.#sent ?? []), ...this.#given];
  }

  /** Nothing was sent to the agent since it started, as far as keys and box tell. */
  get isUnused(): boolean {
    return this.#sent === null && !this.#hasMatched;
  }

  /** Whether keys and box prove that nothing that was sent to this agent begins as `prompt` does. */
  isNotSent(prompt: string): boolean {
    if (this.isUnused || this.#starts === null) return false;
    const words = plainWords(prompt);
    const starts = [...this.#starts, ...this.typed.map(startOf)].filter((start) => start !== '');
    return starts.every((start) => !words.startsWith(start) && !start.startsWith(words));
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
    this.#starts = new Set();
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
    if (text === null && this.#now === '') this.#starts = null;
    else for (const known of sent) this.#starts?.add(startOf(known));
    if (sent.some((known) => known !== '')) this.#sent = sent;
  }

  /** What led here counts once. */
  forget(): void {
    this.#last = '';
    if (this.#sent !== null) this.#sent = [];
  }
}

/** A box that is looked at while it is drawn shows no more. */
function startOf(text: string): string {
  return plainWords(text).slice(0, TORN_CHARS);
}

/** `now` is what is left of `before`. */
function isErased(before: string, now: string): boolean {
  return now.length < before.length && before.startsWith(now);
}
