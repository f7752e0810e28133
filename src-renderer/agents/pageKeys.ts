import { isComposing } from '../ui/browser/isComposing.ts';

/** What a key means on the page of all agents. */
export type PageKey =
  | { type: 'close' | 'next' | 'open' | 'interrupt' | 'reply' }
  | { type: 'step'; by: 1 | -1 }
  | { type: 'answer'; option: number };

const STEPS: Readonly<Record<string, 1 | -1>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
const NAMED: Readonly<Record<string, 'close' | 'next' | 'open' | 'interrupt' | 'reply'>> = {
  Escape: 'close',
  n: 'next',
  o: 'open',
  x: 'interrupt',
  r: 'reply',
};

/** Null for a key that the page leaves alone: with a modifier, held down, being composed, or Return on a button, which presses it. */
export function pageKey(event: KeyboardEvent): PageKey | null {
  const { key, ctrlKey, altKey, metaKey, repeat, target } = event;
  if (ctrlKey || altKey || metaKey || isComposing(event) || event.defaultPrevented) return null;
  const by = STEPS[key];
  if (by !== undefined) return { type: 'step', by };
  if (repeat) return null;
  if (key === 'Enter')
    return target instanceof HTMLElement && target.dataset.chosen !== undefined ? { type: 'open' } : null;
  if (/^[1-9]$/.test(key)) return { type: 'answer', option: Number(key) - 1 };
  const type = NAMED[key];
  return type === undefined ? null : { type };
}

/** A pause of this length ends a text. Slow typists press the next key earlier. */
const PAUSE_MS = 1_000;

/**
 * Finds keys that continue a text whose field was removed while the person typed, for example because the question was answered elsewhere. They are
 * words, so they must not act on an agent.
 */
export class TextKeys {
  #field: EventTarget | null = null;
  #typedMs = Number.NEGATIVE_INFINITY;

  /** Call when text is typed into a field. */
  typed(field: EventTarget | null): void {
    this.#field = field;
    this.#typedMs = performance.now();
  }

  /** Call before a field handles a key: Return and Escape end its text. */
  pressed({ key, target }: KeyboardEvent): void {
    if (target === this.#field && (key === 'Enter' || key === 'Escape')) this.#field = null;
  }

  /** Call with each key of the page; true for a key that continues such a text. */
  takes(): boolean {
    const isOver = performance.now() - this.#typedMs >= PAUSE_MS;
    if (isOver || !(this.#field instanceof Element) || this.#field.isConnected) return false;
    this.#typedMs = performance.now();
    return true;
  }
}
