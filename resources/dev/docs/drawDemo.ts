import { readFileSync } from 'node:fs';
import { animatedSvg, type TimedFrame } from '../../../src-main/picture/animatedSvg.ts';
import { ScreenModel } from '../../../src-main/screen/emulator/ScreenModel.ts';

/** A shell, an agent in it, and the shell again: recorded from the real programs with a scripted model. */
const RECORDING = new URL('../../../test/fixtures/recordings/mixed-shell-gemini-codex-100x30.cast', import.meta.url);
const FROM_MS = 300;
const TO_MS = 18_300;
/** Rows that the recording uses until `TO_MS`. */
const ROWS = 30;
/** Longer pauses are cut to this, so that the picture keeps moving. */
const MOST_WAIT_MS = 900;
/** Output within this time becomes one frame. */
const PICTURE_EVERY_MS = 90;
const HOLD_END_MS = 3_000;

export function drawDemo(): string {
  const [head = '', ...lines] = readFileSync(RECORDING, 'utf8').trim().split('\n');
  const { width } = JSON.parse(head) as { width: number };
  const model = new ScreenModel({ cols: width, rows: ROWS, scrollbackLines: 0 });
  const frames: TimedFrame[] = [];
  let shownMs = 0;
  let lastMs = FROM_MS;
  try {
    for (const line of lines) {
      const [seconds, kind, data] = JSON.parse(line) as [number, string, string];
      const ms = seconds * 1000;
      if (kind !== 'o' || ms > TO_MS) continue;
      if (ms - lastMs > PICTURE_EVERY_MS) {
        frames.push({ frame: model.frame(), atMs: Math.round(shownMs) });
        shownMs += Math.min(ms - lastMs, MOST_WAIT_MS);
        lastMs = ms;
      }
      model.write(Buffer.from(data));
    }
    frames.push({ frame: model.frame(), atMs: Math.round(shownMs) });
  } finally {
    model.dispose();
  }
  return animatedSvg(frames, Math.round(shownMs) + HOLD_END_MS, 'dark');
}
