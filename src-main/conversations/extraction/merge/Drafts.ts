import type { ChatMessage } from '../../../contract/chat/chat.ts';
import { TORN_CHARS } from './answered.ts';
import { plainWords } from './plainWords.ts';

/** What the person typed into the agent's input box, and what of it was sent. */
export class Drafts {
  /** Text in the box. */
  #now = '';
  /** Last non-empty text in the box; '' once the person has erased a part of it. */
  #last = '';
  /** The prompt sent last, as read from the keys and from the box. Null if no keys were reported: then only the box shows it. */
  #sent: readonly string[] | null = null;
  #given: readonly string[] = [];
  #hasMatched = false;
  /** Beginnings of all prompts sent since the agent started; null once one was sent that neither the keys nor the box showed. */
  #starts: Set<string> | null = new Set();

  /** Texts known to be typed since the last prompt, and the words of the agent's command line. */
  get typed(): readonly string[] {
    return [this.#last, ...(this.#sent ?? []), ...this.#given];
  }

  /** Neither the keys nor the box show that anything was sent since the agent started. */
  get isUnused(): boolean {
    return this.#sent === null && !this.#hasMatched;
  }

  /** Whether the keys and the box prove that nothing sent to this agent begins as `prompt` does. */
  isNotSent(prompt: string): boolean {
    if (this.isUnused || this.#starts === null) return false;
    const words = plainWords(prompt);
    const starts = [...this.#starts, ...this.typed.map(startOf)].filter((start) => start !== '');
    return starts.every((start) => !words.startsWith(start) && !start.startsWith(words));
  }

  /** Call when a prompt was added to the log; it may be one that was typed. */
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

  /** Another agent starts; its keys are not known yet. `given`: the words of its command line, one of which may be a prompt. */
  begin(given: readonly string[] = []): void {
    this.#sent = null;
    this.#given = given;
    this.#hasMatched = false;
    this.#starts = new Set();
  }

  /** Takes the text of the box; null if the box is not visible. Returns the texts that may have led to this picture. */
  shown(seen: string | null): readonly string[] {
    const draft = seen ?? this.#now;
    const before = this.#last;
    if (draft !== '' && draft !== this.#now) this.#last = isErased(this.#now, draft) ? '' : draft;
    this.#now = draft;
    return this.#sent ?? [before, this.#last];
  }

  /** Return was pressed. `text`: what the keys entered, or null if unknown. With an empty box, Return can only answer a question. */
  sent(text: string | null): void {
    const sent = [text ?? '', this.#now];
    if (text === null && this.#now === '') this.#starts = null;
    else for (const known of sent) this.#starts?.add(startOf(known));
    if (sent.some((known) => known !== '')) this.#sent = sent;
  }

  /** Forgets the texts that led here, so that they count only once. */
  forget(): void {
    this.#last = '';
    if (this.#sent !== null) this.#sent = [];
  }
}

/** The first characters of `text`. A half-drawn box may show no more. */
function startOf(text: string): string {
  return plainWords(text).slice(0, TORN_CHARS);
}

/** Whether `now` is the rest of `before` after erasing. */
function isErased(before: string, now: string): boolean {
  return now.length < before.length && before.startsWith(now);
}
