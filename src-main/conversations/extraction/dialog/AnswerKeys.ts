import type { ChatVerdict } from '../../../contract/chat/chat.ts';
import type { ShownQuestion } from '../../../contract/chat/extractor.ts';

const STEPS: Readonly<Record<string, number>> = { A: -1, B: 1, C: 1, D: -1 };
const ARROW = /^\x1b[[O]([A-D])$/;
const CANCELS: Readonly<Record<string, string>> = { '\x1b': 'Cancelled (Esc)', '\x03': 'Cancelled (Ctrl+C)' };
/** One key of a chunk: an escape sequence, or a character. */
const KEY = /\x1b\[[0-9;<]*[ -/]*[@-~]|\x1bO.|\x1b|[\s\S]/gu;
/** Sequences that no key sends: focus and mouse reports, the ends of a paste. */
const PASSIVE = /^\x1b\[(?:20[01]~|[IO]|<[\d;]+[Mm])$/;
const CHECKED = /^(?:\[(?:✔|✓|x|X)\]|☑|☒) */;
const CHECKBOX = /^(?:\[(?: |✔|✓|x|X)\]|☐|☑|☒) */;
/** For this time after a key, ms, the screen may still be older than the key. */
const SETTLED_MS = 1000;
/** Some programs ignore keys for this time after they draw a question. */
const DEAF_MS = 500;
/** Most options for which one digit is enough; numbers of two digits are typed digit by digit. */
const MOST_NUMBERED = 9;

/**
 * Finds the answer that keys give to the question on the screen. The choice is known if a key names it (a number, or a letter that the
 * option shows), or if Return comes while the screen shows the pointer where the keys moved it. Any other choice counts as not seen.
 */
export class AnswerKeys {
  #shown: ShownQuestion | null = null;
  #answer: ChatVerdict | null = null;
  /** The option to which the keys have moved the pointer; null if unknown. */
  #expected: number | null = null;
  /** Number of keys since the last one that named an option; null if no key did. */
  #sinceNamed: number | null = null;
  #lastKeyMs = Number.NEGATIVE_INFINITY;
  /** The time when Return chose an option. Keys that come before the screen shows this are too late. */
  #returnedMs = Number.NEGATIVE_INFINITY;
  #sinceMs: number | null = null;
  #beforeEsc: { answer: ChatVerdict | null } | null = null;

  /** The screen shows a question, the same one or a new one. */
  shown(question: ShownQuestion, atMs: number): void {
    if (this.#shown?.options.length !== question.options.length) {
      this.#answer = null;
      this.#expected = question.pointed;
      this.#sinceNamed = null;
      this.#lastKeyMs = Number.NEGATIVE_INFINITY;
      this.#returnedMs = Number.NEGATIVE_INFINITY;
      this.#sinceMs = atMs;
    }
    this.#shown = question;
  }

  /** The caller moved the pointer and saw it arrive, perhaps on a newer screen than this one. */
  pointed(option: number): void {
    if (!this.#shown) return;
    this.#shown = { ...this.#shown, pointed: option };
    this.#expected = option;
  }

  typed(keys: string, by: string, atMs: number): void {
    if (!this.#shown || atMs - this.#returnedMs < SETTLED_MS) return;
    const isCut = this.#beforeEsc !== null && /^[[O]/.test(keys); // an arrow's first byte came alone
    if (isCut) this.#answer = this.#beforeEsc?.answer ?? null;
    this.#beforeEsc = null;
    for (const [key] of (isCut ? `\x1b${keys}` : keys).matchAll(KEY)) {
      if (PASSIVE.test(key)) continue;
      this.#beforeEsc = key === '\x1b' ? { answer: this.#answer } : null;
      const choice = this.#choiceOf(key, this.#shown, atMs);
      if (choice !== undefined) this.#answer = { choice, by, atMs };
      this.#lastKeyMs = atMs;
      if (!this.#isDecided(key, choice, atMs)) continue;
      this.#returnedMs = atMs;
      return;
    }
  }

  /** Return chooses an option of a list, but only checks a checkbox. */
  #isDecided(key: string, choice: string | null | undefined, atMs: number): boolean {
    if (key !== '\r' || !choice || atMs - (this.#sinceMs ?? atMs) < DEAF_MS) return false;
    return this.#shown?.options.some((label) => CHECKBOX.test(label)) === false;
  }

  /** Returns the answer to the question, which has left the screen. Without a key that answered it, it was answered elsewhere. */
  take(atMs: number): ChatVerdict {
    const answer = this.#answer ?? { choice: null, by: null, atMs };
    this.#shown = null;
    this.#answer = null;
    return answer;
  }

  /** Returns the choice that `key` makes: null for a choice that is not seen, undefined if the key does not choose. */
  #choiceOf(key: string, { options, pointed, firstNumber }: ShownQuestion, atMs: number): string | null | undefined {
    const cancelled = CANCELS[key];
    const byEsc = key === '\x1b' ? options.find((label) => /\(esc\b/i.test(label)) : undefined;
    if (cancelled !== undefined) return byEsc ?? cancelled;
    const isList = !options.some((label) => CHECKBOX.test(label));
    if (key === '\r' || key === '\n')
      return isList ? this.#byReturn(options, pointed, atMs) : this.#checked(options, atMs);
    if (this.#sinceNamed !== null) this.#sinceNamed += 1;
    const step = STEPS[ARROW.exec(key)?.[1] ?? ''];
    if (step !== undefined) {
      this.#expected = moved(this.#expected, step, options.length);
      return undefined;
    }
    const named = isList ? namedBy(key, options, firstNumber) : null;
    this.#expected = named;
    if (named === null) return undefined;
    this.#sinceNamed = 0;
    return options[named];
  }

  #byReturn(options: readonly string[], pointed: number | null, atMs: number): string | null | undefined {
    if (this.#sinceNamed !== null && pointed !== this.#expected) return this.#sinceNamed === 0 ? undefined : null;
    const isSeen = pointed === this.#expected || atMs - this.#lastKeyMs >= SETTLED_MS;
    return pointed === null || !isSeen ? null : (options[pointed] ?? null);
  }

  #checked(options: readonly string[], atMs: number): string | null {
    if (atMs - this.#lastKeyMs < SETTLED_MS) return null;
    const labels = options.filter((label) => CHECKED.test(label)).map((label) => label.replace(CHECKED, ''));
    return labels.length === 0 ? null : labels.join(', ');
  }
}

function namedBy(key: string, options: readonly string[], firstNumber: number | null): number | null {
  const byLetter = options.findIndex((label) => label.endsWith(`(${key})`));
  if (byLetter >= 0) return byLetter;
  const at = /^\d$/.test(key) && firstNumber !== null ? Number(key) - firstNumber : -1;
  return at >= 0 && at < options.length && options.length <= MOST_NUMBERED ? at : null;
}

/** A list may stop or wrap around at its ends, so the pointer is unknown after a step beyond them. */
function moved(from: number | null, by: number, count: number): number | null {
  const to = from === null ? -1 : from + by;
  return to < 0 || to >= count ? null : to;
}
