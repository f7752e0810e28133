import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ComposerCommand,
  caretMove,
  composerCommand,
  type EditorView,
  killed,
  lineEdit,
} from '../../../src-renderer/composer/line/composerKeys.ts';

const press = (text: string) => {
  const parts = text.split('+');
  const has = (name: string) => parts.includes(name);
  return {
    key: parts.at(-1) ?? '',
    ctrlKey: has('Ctrl'),
    altKey: has('Alt'),
    shiftKey: has('Shift'),
    metaKey: has('Meta'),
  };
};

/** `|` marks the caret, two of them a selection. */
function view(marked: string, hasChoices = false): EditorView {
  const start = marked.indexOf('|');
  const end = Math.max(start, marked.lastIndexOf('|') - 1);
  return { text: marked.replaceAll('|', ''), start, end, hasChoices };
}

describe('what a key means', () => {
  test.each([
    ['Enter', 'ls|', 'submit'],
    ['Shift+Enter', 'ls|', 'newline'],
    ['ArrowUp', 'one|\ntwo', 'older'],
    ['ArrowUp', 'one\ntw|o', undefined],
    ['ArrowDown', 'one\ntw|o', 'newer'],
    ['ArrowDown', 'one|\ntwo', undefined],
    ['ArrowUp', '|one|', undefined],
    ['Shift+ArrowUp', 'one|', undefined],
    ['Tab', 'l|', 'complete'],
    ['Shift+Tab', 'l|', undefined],
    ['Ctrl+c', 'ls|', 'interrupt'],
    ['Ctrl+c', '|ls|', undefined],
    ['Ctrl+d', '|', 'endOfInput'],
    ['Ctrl+d', 'l|s', 'deleteRight'],
    ['Ctrl+h', 'l|s', 'deleteLeft'],
    ['Ctrl+y', 'l|s', undefined],
    ['Alt+b', 'l|s', 'wordLeft'],
    ['Alt+f', 'l|s', 'wordRight'],
    ['Alt+d', 'l|s', 'killWordRight'],
    ['Alt+Backspace', 'l|s', 'killWordLeft'],
    ['Alt+.', 'l|s', 'lastWord'],
    ['Alt+x', 'l|s', undefined],
    ['Ctrl+Alt+b', 'l|s', undefined],
    ['Ctrl+l', 'ls|', 'clearScreen'],
    ['Ctrl+z', 'ls|', undefined],
    ['Meta+a', 'ls|', undefined],
    ['x', 'ls|', undefined],
  ])('%s in %j: %s', (key, text, command) => {
    expect(composerCommand(press(key), view(text))).toBe(command);
  });

  test.each([
    ['ArrowDown', 'choiceNext'],
    ['Tab', 'choiceNext'],
    ['Shift+Tab', 'choicePrevious'],
    ['ArrowUp', 'choicePrevious'],
    ['Enter', 'choiceTake'],
    ['Escape', 'choiceClose'],
    ['Shift+Enter', 'newline'],
    ['Ctrl+n', 'choiceNext'],
    ['Ctrl+p', 'choicePrevious'],
    ['Ctrl+e', 'lineEnd'],
    ['x', undefined],
  ])('while completions are offered, %s: %s', (key, command) => {
    expect(composerCommand(press(key), view('ls|', true))).toBe(command);
  });

  test.each([
    ['ArrowDown', 'ls|', 'choiceNext'],
    ['ArrowDown', 'l|s\nx', undefined],
    ['ArrowUp', 'ls|', 'older'],
    ['Ctrl+n', 'ls|', 'choiceNext'],
    ['Ctrl+p', 'ls|', 'older'],
    ['Tab', 'ls|', 'complete'],
    ['Enter', 'ls|', 'submit'],
    ['Escape', 'ls|', 'choiceClose'],
  ])('while they came by themselves, %s in %j: %s', (key, text, command) => {
    expect(composerCommand(press(key), { ...view(text, true), isUnasked: true })).toBe(command);
  });

  test.each([
    ['ArrowRight', 'ls|', 'ghostTake'],
    ['End', 'ls|', 'ghostTake'],
    ['Alt+ArrowRight', 'ls|', 'ghostWord'],
    ['Alt+f', 'ls|', 'ghostWord'],
    ['Ctrl+ArrowRight', 'ls|', 'ghostWord'],
    ['Shift+ArrowRight', 'ls|', undefined],
    ['Ctrl+Alt+ArrowRight', 'ls|', undefined],
    ['ArrowRight', 'l|s', undefined],
    ['ArrowRight', '|ls|', undefined],
    ['Enter', 'ls|', 'submit'],
  ])('with ghost text, %s in %j: %s', (key, text, command) => {
    expect(composerCommand(press(key), { ...view(text), hasGhost: true })).toBe(command);
  });
});

describe('what the line editor does', () => {
  const after = (command: ComposerCommand, marked: string) => {
    const editor = view(marked);
    const edit = lineEdit(command, editor);
    return edit && editor.text.slice(0, edit.from) + edit.insert + editor.text.slice(edit.to);
  };

  test.each([
    ['killWord', 'cat src/tw|', 'cat '],
    ['killWord', 'cat  |', ''],
    ['killWord', 'cat |src|', 'cat '],
    ['killToStart', 'one\ntwo th|ree', 'one\nree'],
    ['killToEnd', 'one tw|o\nthree', 'one tw\nthree'],
    ['killToEnd', 'one|\ntwo', 'onetwo'],
    ['killToEnd', 'one|', 'one'],
    ['newline', 'a|b', 'a\nb'],
    ['killWordLeft', 'cat src/twö|', 'cat src/'],
    ['killWordLeft', 'cat src/ |', 'cat '],
    ['killWordRight', 'cat| src/two', 'cat/two'],
    ['deleteLeft', 'a👩‍🚀|b', 'ab'],
    ['deleteRight', 'a|👩‍🚀b', 'ab'],
    ['deleteRight', 'a|', 'a'],
  ] as const)('%s in %j gives %j', (command, marked, expected) => {
    expect(after(command, marked)).toBe(expected);
  });

  test('killing takes away one stretch and adds nothing', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n') });
    fc.assert(
      fc.property(
        text,
        fc.nat(),
        fc.nat(),
        fc.constantFrom<ComposerCommand>(
          'killToStart',
          'killToEnd',
          'killWord',
          'killWordLeft',
          'killWordRight',
          'deleteLeft',
          'deleteRight',
        ),
        (value, a, b, command) => {
          const [start = 0, end = 0] = [a % (value.length + 1), b % (value.length + 1)].sort((x, y) => x - y);
          const edit = lineEdit(command, { text: value, start, end, hasChoices: false });
          expect(edit).toMatchObject({ insert: '' });
          expect(edit && edit.from <= start && edit.to >= end && edit.from >= 0 && edit.to <= value.length).toBe(true);
        },
      ),
    );
  });

  test.each([
    ['wordLeft', 'cat src/two|', 8],
    ['wordLeft', '|cat', 0],
    ['wordRight', 'cat| src/two', 7],
    ['wordRight', 'cat|', 3],
  ] as const)('%s in %j goes to %i', (command, marked, expected) => {
    expect(caretMove(command, view(marked))).toBe(expected);
  });

  test.each([
    ['killWord', 'cat src/tw|', 'src/tw'],
    ['killToEnd', 'cat| src', ' src'],
    ['killToEnd', 'cat|', ''],
    ['deleteLeft', 'cat|', ''],
  ] as const)('%s in %j keeps %j for Ctrl+Y', (command, marked, expected) => {
    expect(killed(command, view(marked))).toBe(expected);
  });

  test('the caret goes to the ends of its own line', () => {
    const editor = view('one\ntw|o\nthree');
    expect([caretMove('lineStart', editor), caretMove('lineEnd', editor)]).toEqual([4, 7]);
  });
});
