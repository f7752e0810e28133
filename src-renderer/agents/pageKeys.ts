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
