import { getContext, setContext } from 'svelte';

/** Copies a text and shows a confirmation. */
export type Copy = (text: string, said: string) => Promise<void>;

const KEY = Symbol('copy');

/** Provides the copy function to code blocks in Markdown below the calling component. */
export function provideCopy(copy: Copy): void {
  setContext(KEY, copy);
}

export function getCopy(): Copy {
  return getContext<Copy>(KEY);
}
