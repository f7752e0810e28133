import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caretMove, composerCommand, type EditorView, lineEdit } from '../../../src-renderer/composer/composerKeys.ts';

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
    ['Ctrl+d', 'l|s', undefined],
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
    ['x', undefined],
  ])('while completions are offered, %s: %s', (key, command) => {
    expect(composerCommand(press(key), view('ls|', true))).toBe(command);
  });

  test.each([
    ['ArrowDown', 'ls|', 'choiceNext'],
    ['ArrowDown', 'l|s\nx', undefined],
    ['ArrowUp', 'ls|', 'older'],
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
  const after = (command: 'newline' | 'killToStart' | 'killToEnd' | 'killWord', marked: string) => {
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
        fc.constantFrom('killToStart', 'killToEnd', 'killWord'),
        (value, a, b, command) => {
          const [start = 0, end = 0] = [a % (value.length + 1), b % (value.length + 1)].sort((x, y) => x - y);
          const edit = lineEdit(command as 'killWord', { text: value, start, end, hasChoices: false });
          expect(edit).toMatchObject({ insert: '' });
          expect(edit && edit.from <= start && edit.to >= end && edit.from >= 0 && edit.to <= value.length).toBe(true);
        },
      ),
    );
  });

  test('the caret goes to the ends of its own line', () => {
    const editor = view('one\ntw|o\nthree');
    expect([caretMove('lineStart', editor), caretMove('lineEnd', editor)]).toEqual([4, 7]);
  });
});
