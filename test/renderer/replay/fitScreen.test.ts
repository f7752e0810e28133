import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitScreen } from '../../../src-renderer/replay/fitScreen.ts';

const px = fc.integer({ min: 20, max: 3_000 });
const box = fc.record({ width: px, height: px });

test('a screen never reaches over the sides of its room, is never enlarged, and never leaves room empty that it could fill', () => {
  fc.assert(
    fc.property(box, box, fc.option(fc.double({ min: 0, max: 1, noNaN: true })), (screen, room, seenTo) => {
      const { scale, shiftPx } = fitScreen(screen, room, seenTo);
      const height = screen.height * scale;
      const top = (room.height - height) / 2 + shiftPx;
      expect(scale).toBeLessThanOrEqual(1);
      expect(screen.width * scale).toBeLessThanOrEqual(room.width + 0.01);
      if (height <= room.height) {
        expect(shiftPx).toBeCloseTo(0);
        return;
      }
      expect(top).toBeLessThanOrEqual(0.01);
      expect(top + height).toBeGreaterThanOrEqual(room.height - 0.01);
      expect(top + height * (seenTo ?? 1)).toBeLessThanOrEqual(room.height + 0.01);
    }),
  );
});

test('a full-screen program is seen whole, however small', () => {
  expect(fitScreen({ width: 800, height: 900 }, { width: 800, height: 300 }, null)).toEqual({
    scale: 1 / 3,
    shiftPx: 0,
  });
});

test('a shell’s screen stays readable, and follows the line that is written', () => {
  const fitAt = (line: number) => fitScreen({ width: 800, height: 900 }, { width: 800, height: 300 }, line / 45);
  expect(fitAt(1)).toEqual({ scale: 0.8, shiftPx: 210 });
  expect(fitAt(45)).toEqual({ scale: 0.8, shiftPx: -210 });
});
