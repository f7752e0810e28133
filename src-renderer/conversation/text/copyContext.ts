import { getContext, setContext } from 'svelte';

/** Puts a text into the clipboard and says so. */
export type Copy = (text: string, said: string) => Promise<void>;

const KEY = Symbol('copy');

/** For the code within Markdown that is drawn below the component that calls this. */
export function provideCopy(copy: Copy): void {
  setContext(KEY, copy);
}

export function getCopy(): Copy {
  return getContext<Copy>(KEY);
}
