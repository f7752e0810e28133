import type { FrameClock } from './ReplayPlayer.svelte.ts';

/** Animation frames of the window. A hidden window has no frames, so the replay pauses there. */
export const frameClock: FrameClock = {
  run(tick) {
    let frame = requestAnimationFrame(function next(nowMs) {
      tick(nowMs);
      if (frame !== 0) frame = requestAnimationFrame(next);
    });
    return () => {
      cancelAnimationFrame(frame);
      frame = 0;
    };
  },
};
