import { describe, expect, test } from 'vitest';
import type { Frame } from '../../src-main/contract/screen/frame.ts';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import { diffFrames } from '../../src-main/screen/frames/diffFrames.ts';
import { frameHash } from '../../src-main/screen/frames/frameHash.ts';
import { type Recorded, readAgentCasts } from '../support/agentCasts.ts';
import { applyDiff } from '../support/applyDiff.ts';

/** The frame after each output of a recording. */
function framesOf({ cols, rows, outputs }: Recorded): Frame[] {
  const model = new ScreenModel({ cols, rows, scrollbackLines: 200 });
  const frames = outputs.map((output) => {
    model.write(Buffer.from(output));
    return model.frame();
  });
  model.dispose();
  return frames;
}

const look = (frame: Frame) => JSON.stringify([frame.rows, frame.cursor.row, frame.title, frame.altScreen]);

describe.each(readAgentCasts())('the frames of $name', (recorded) => {
  const frames = framesOf(recorded);

  test('are each the one before and their difference', () => {
    frames.slice(1).forEach((now, at) => {
      const old = frames[at] as Frame;
      if (now.epoch === old.epoch) expect(applyDiff(old, diffFrames(old, now))).toEqual(now);
    });
    expect(frames.length).toBeGreaterThan(50);
  });

  test('are each any earlier one and their difference', () => {
    const some = frames.filter((_, at) => at % Math.ceil(frames.length / 25) === 0);
    for (const old of some)
      for (const now of some) expect(applyDiff(old, diffFrames(old, now))).toEqual({ ...now, epoch: old.epoch });
  });

  test('have another number than the one before exactly when they look otherwise', () => {
    const wrong = frames.slice(1).filter((now, at) => {
      const old = frames[at] as Frame;
      return (now.seq !== old.seq) !== (look(now) !== look(old));
    });
    expect(wrong).toEqual([]);
  });

  test('have one hash for one look, and never one for two', () => {
    const byHash = new Map(frames.map((frame) => [frameHash(frame), look(frame)]));
    const byLook = new Map(frames.map((frame) => [look(frame), frameHash(frame)]));
    expect(byHash.size).toBe(byLook.size);
  });
});
