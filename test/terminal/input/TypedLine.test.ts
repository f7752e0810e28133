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

const PASTED_ROW = '\x1b[200~echo half\x1b[201~';

test.each<[string, string[], 'no' | 'line']>([
  ['text and Backspace', ['echo "à 日"', '\x7f'], 'no'],
  ['Ctrl-U', ['echo\x15'], 'no'],
  ['a pasted row', [PASTED_ROW], 'no'],
  ['pasted rows and Return', ['\x1b[200~for i in 1\rdo\x1b[201~\r'], 'no'],
  ['pasted rows', ['\x1b[200~one\rtwo\x1b[201~'], 'line'],
  ['a paste without an end', ['\x1b[200~one', '\r'], 'line'],
  ['an arrow before text', ['\x1b[D', 'echo'], 'line'],
  ['Tab', ['ec\t'], 'line'],
  ['Ctrl-D', ['echo\x04'], 'line'],
])('after %s at a prompt, Ctrl-U empties the line or may not', (_, keys, edited) => {
  const line = new TypedLine();
  line.prompted(false);
  for (const piece of keys) line.typed(piece);
  expect(line.edited).toBe(edited);
});

test.each(['x', 'one\r', PASTED_ROW])('megabytes of %j are taken', (piece) => {
  const line = new TypedLine();
  line.prompted(false);
  line.typed(piece.repeat(2 ** 25 / piece.length));
  expect(line.edited).toBe('no');
});

test('keys of a program are not taken for keys of the next prompt, and those of an earlier core may be', () => {
  const line = new TypedLine();
  line.prompted(false);
  line.typed('less notes\r');
  line.began();
  line.typed('\x1b[B');
  line.typed('q');
  line.prompted(false);
  expect(line).toMatchObject({ isEmpty: false, edited: 'ahead' });
  line.prompted(true);
  expect(line.edited).toBe('line');
  expect(new TypedLine(true).edited).toBe('line');
});

test('Ctrl-D ends no line that has text', () => {
  const line = new TypedLine();
  line.typed('echo half');
  line.typed('\x04');
  line.prompted(false);
  expect(line.isEmpty).toBe(false);
  line.typed('\r\x04');
  line.prompted(false);
  expect(line.isEmpty).toBe(true);
});

test('a focus report begins no line', () => {
  const line = new TypedLine();
  line.prompted(false);
  line.typed('\x1b[I');
  line.typed('\x1b[O');
  expect([line.isEmpty, line.edited]).toEqual([true, 'no']);
});
