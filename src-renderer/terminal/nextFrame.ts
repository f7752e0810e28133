/** Resolves in the next picture, before it is laid out: what was drawn by the one before is measured, what was changed since is not. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => resolve()));
}

/** What is asked for is drawn within a few frames; a machine that is busy may need more. */
const MAX_FRAMES = 200;

/** Resolves as soon as `look` finds what it looks for, or when it never will. */
export async function untilFrame(look: () => boolean): Promise<void> {
  for (let frame = 0; frame < MAX_FRAMES && !look(); frame += 1) await nextFrame();
}
