import type { FrameClock } from './ReplayPlayer.svelte.ts';

/** The window's pictures. A hidden window has none, so nothing is played there. */
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
