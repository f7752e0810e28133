import { expect, test } from 'vitest';
import { TypedLine } from '../../../src-main/terminal/input/TypedLine.ts';

test('a key that comes between Return and the begin of the command is in the next line', () => {
  const line = new TypedLine();
  line.typed('ls\r');
  line.typed('e');
  line.began();
  line.prompted(false);
  expect(line.isEmpty).toBe(false);
  line.typed('cho\r');
  line.began();
  line.prompted(false);
  expect(line.isEmpty).toBe(true);
});

test('a line that was begun before this core came stays begun when its prompt is drawn once more', () => {
  const line = new TypedLine(true);
  line.began();
  line.prompted(false);
  expect(line.isEmpty).toBe(false);
  line.prompted(false);
  expect(line.isEmpty).toBe(false);
  line.typed('\x15echo whole\r');
  line.prompted(false);
  expect(line.isEmpty).toBe(true);
});
