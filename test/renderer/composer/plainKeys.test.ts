import { expect, test } from 'vitest';
import { metaPress, pieceOf, plainKey } from '../../../src-renderer/composer/plainKeys.ts';

const NONE = { ctrlKey: false, altKey: false, metaKey: false, shiftKey: false };

test.each([
  ['Enter', {}, '\r'],
  ['Enter', { shiftKey: true }, '\r'],
  ['Backspace', {}, '\x7f'],
  ['ArrowUp', {}, '\x1b[A'],
  ['c', { ctrlKey: true }, '\x03'],
  ['u', { ctrlKey: true }, '\x15'],
  ['a', {}, undefined],
  ['v', { ctrlKey: true }, undefined],
  ['C', { ctrlKey: true, shiftKey: true }, undefined],
  ['Tab', { shiftKey: true }, undefined],
  ['c', { metaKey: true }, undefined],
  ['Enter', { altKey: true }, undefined],
  ['Shift', { shiftKey: true }, undefined],
])('%s with %o sends %j', (key, held, sent) => {
  expect(plainKey({ ...NONE, key, ...held } as KeyboardEvent)).toBe(sent);
});

test.each([
  ['Enter', {}, { text: '\r', isPaste: false }],
  ['Enter', { shiftKey: true }, { text: '\n', isPaste: true }],
  ['Enter', { altKey: true }, { text: '\n', isPaste: true }],
  ['a', {}, { text: 'a', isPaste: false }],
  ['Shift', { shiftKey: true }, undefined],
])('%s with %o is kept for a line as %j', (key, held, piece) => {
  expect(pieceOf({ ...NONE, key, ...held } as KeyboardEvent)).toEqual(piece);
});

test.each([
  ['∫', 'KeyB', { altKey: true }, 'b'],
  ['≥', 'Period', { altKey: true }, '.'],
  ['β', 'KeyB', { altKey: true }, 'b'],
  ['x', 'KeyB', { altKey: true }, 'x'],
  ['∫', 'KeyB', {}, '∫'],
  ['∫', 'KeyB', { altKey: true, ctrlKey: true }, '∫'],
  ['Dead', 'KeyN', { altKey: true }, 'Dead'],
  ['Backspace', 'Backspace', { altKey: true }, 'Backspace'],
])('with Option as Meta, %s of %s with %o is %s', (key, code, held, letter) => {
  expect(metaPress({ ...NONE, key, code, ...held } as KeyboardEvent).key).toBe(letter);
});
