/** Resolves in the next frame, before its layout: elements drawn by the frame before can be measured, later changes cannot. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => resolve()));
}

/** A requested element is usually drawn within a few frames; a busy machine may need more. */
const MAX_FRAMES = 200;

/** Resolves as soon as `look` returns true, or after MAX_FRAMES. */
export async function untilFrame(look: () => boolean): Promise<void> {
  for (let frame = 0; frame < MAX_FRAMES && !look(); frame += 1) await nextFrame();
}
