import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Chord,
  chordOf,
  formatChord,
  isEditChord,
  isLineChord,
  isProgramChord,
  isSameChord,
  isScrollChord,
  isTyping,
  parseChord,
  parseChords,
  showChord,
} from '../../../src-renderer/app/chord.ts';

const plain: Chord = { ctrl: false, alt: false, shift: false, meta: false, key: 'a' };
const press = (
  key: string,
  code: string,
  held: Partial<Record<'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey', true>>,
) => ({
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  metaKey: false,
  ...held,
  key,
  code,
});

const anyChord = fc.record({
  ctrl: fc.boolean(),
  alt: fc.boolean(),
  shift: fc.boolean(),
  meta: fc.boolean(),
  key: fc.constantFrom(
    'a',
    'z',
    '1',
    '.',
    ',',
    '=',
    '+',
    ' ',
    'enter',
    'escape',
    'arrowup',
    'arrowleft',
    'f5',
    'tab',
    'pagedown',
  ),
});

describe('the spelling of a chord', () => {
  test('reads back as the same chord on every platform', () => {
    fc.assert(
      fc.property(anyChord, fc.constantFrom('linux', 'darwin', 'win32'), (chord, platform) => {
        const read = parseChord(formatChord(chord), platform);
        expect(read && isSameChord(read, chord)).toBe(true);
      }),
    );
  });

  test.each([
    ['Mod+Shift+P', 'linux', { ...plain, ctrl: true, shift: true, key: 'p' }],
    ['Mod+Shift+P', 'darwin', { ...plain, meta: true, shift: true, key: 'p' }],
    ['Alt+Up', 'linux', { ...plain, alt: true, key: 'arrowup' }],
    ['f2', 'linux', { ...plain, key: 'f2' }],
    ['Ctrl+Plus', 'win32', { ...plain, ctrl: true, key: '+' }],
  ] as const)('%s on %s is read', (text, platform, chord) => {
    expect(parseChord(text, platform)).toEqual(chord);
  });

  test.each(['', 'Shift', 'Hyper+A', 'Ctrl+'])('"%s" is no chord', (text) => {
    expect(parseChord(text, 'linux')).toBeUndefined();
  });

  test('of several alternatives the unreadable are left out', () => {
    expect(parseChords('Mod+T  Nonsense+X F2', 'linux').map(formatChord)).toEqual(['Ctrl+T', 'F2']);
  });

  test.each([
    ['Mod+Shift+F', 'darwin', '⇧⌘F'],
    ['Mod+Shift+F', 'linux', 'Ctrl+Shift+F'],
    ['Alt+Down', 'darwin', '⌥↓'],
    ['Mod+PageDown', 'linux', 'Ctrl+PageDown'],
  ] as const)('%s on %s is shown as a person reads it', (text, platform, shown) => {
    expect(parseChords(text, platform).map((chord) => showChord(chord, platform))).toEqual([shown]);
  });
});

describe('the chord of a key press', () => {
  test.each([
    ['a modifier alone is none', press('Shift', 'ShiftLeft', { shiftKey: true }), undefined],
    ['Shift+1 is the digit and not the sign on it', press('!', 'Digit1', { shiftKey: true }), 'Shift+1'],
    ['Option+T on a Mac is the letter and not the dagger', press('†', 'KeyT', { altKey: true }), 'Alt+T'],
    ['the letter that is typed counts, not where the key lies', press('q', 'KeyA', { ctrlKey: true }), 'Ctrl+Q'],
    ['with a Cyrillic layout Ctrl+letter is read from the key', press('с', 'KeyC', { ctrlKey: true }), 'Ctrl+C'],
    ['a full stop keeps its own name', press('.', 'Period', { ctrlKey: true }), 'Ctrl+.'],
  ])('%s', (_, event, expected) => {
    const chord = chordOf(event);
    expect(chord && formatChord(chord)).toBe(expected);
  });
});

describe('whose a chord is', () => {
  test('every C0 control and every Alt+character may be waited for by a program', () => {
    const own = ['Ctrl+C', 'Ctrl+W', 'Ctrl+[', 'Ctrl+Space', 'Alt+F', 'Alt+.', 'Alt+1', 'Alt+Up'];
    expect(parseChords(own.join(' '), 'linux').map(isProgramChord)).toEqual(own.map(() => true));
  });

  test('what no program can tell apart from something else is the window’s', () => {
    const ours = ['Ctrl+Shift+W', 'Ctrl+.', 'Ctrl+1', 'Ctrl+Tab', 'Alt+Shift+T', 'Cmd+W', 'F2'];
    expect(parseChords(ours.join(' '), 'linux').map(isProgramChord)).toEqual(ours.map(() => false));
  });

  test('the line editor keeps its letters, and only with Ctrl alone', () => {
    const chords = parseChords('Ctrl+W Ctrl+U Ctrl+T Ctrl+R Ctrl+Shift+W Alt+U', 'linux');
    expect(chords.map(isLineChord)).toEqual([true, true, false, false, false, false]);
  });

  test('a text field keeps copy, undo and walking by words on every platform, and no more', () => {
    const chords = parseChords('Ctrl+C Cmd+V Ctrl+Shift+Z Ctrl+End Cmd+Left Ctrl+Shift+C Ctrl+T Alt+Up', 'linux');
    expect(chords.map(isEditChord)).toEqual([true, true, true, true, true, false, false, false]);
  });

  test('a terminal scrolls by Shift and a page key, and by no other key', () => {
    const chords = parseChords('Shift+PageUp Shift+PageDown PageUp Ctrl+Shift+PageUp Shift+Up', 'linux');
    expect(chords.map(isScrollChord)).toEqual([true, true, false, false, false]);
  });

  test('a key without modifiers types, a function key does not', () => {
    expect(parseChords('A Shift+A Enter F2 Ctrl+A', 'linux').map(isTyping)).toEqual([true, true, true, false, false]);
  });
});
