import { expect, test } from 'vitest';
import { PendingLine } from '../../../src-main/terminal/input/PendingLine.ts';

function at() {
  let nowMs = 0;
  const line = new PendingLine({ monotonicMs: () => nowMs });
  const later = (ms: number) => {
    nowMs += ms;
  };
  return { line, later };
}

test('a line is pending until a command begins, the prompt comes again, or the shell is known to have no hook', () => {
  const { line, later } = at();
  expect(line.text).toBe(null);
  line.sent('sleep 9', true);
  expect(line.text).toBe('sleep 9');
  line.gone();
  expect(line.text).toBe(null);
  line.sent('cd /', true);
  line.prompted();
  expect(line.text).toBe(null);
  line.sent('vim', true);
  later(2999);
  expect(line.text).toBe('vim');
  later(1);
  expect(line.text).toBe(null);
});

test('a line without words is never pending', () => {
  const { line } = at();
  line.sent(' \n', true);
  expect(line.text).toBe(null);
});

test('a line that was sent before the first prompt is pending behind it', () => {
  const { line } = at();
  line.sent('make', false);
  line.prompted();
  expect(line.text).toBe('make');
  line.prompted();
  expect(line.text).toBe(null);
});
