import type { EditorView } from '@codemirror/view';
import { expect, test, vi } from 'vitest';
import { composerPress } from '../../../src-renderer/composer/editor/vimKeys.ts';

const inputState = { keyBuffer: [], operator: null, prefixRepeat: [], motionRepeat: [] };

vi.mock('@replit/codemirror-vim', () => ({
  getCM: ({ mode }: { mode: string }) => ({ state: { vim: { insertMode: mode === 'insert', inputState } } }),
  Vim: { defineEx: () => undefined, map: () => undefined },
}));

test.each([
  ['c', 'normal', 'ls', true],
  ['l', 'normal', 'ls', true],
  ['d', 'normal', '', true],
  ['d', 'normal', 'ls', false],
  ['d', 'insert', 'ls', true],
  ['w', 'normal', 'ls', false],
])('Ctrl+%s in %s mode, in a line %j, is a key of the composer: %j', (key, mode, text, isComposers) => {
  const view = { mode, state: { doc: { length: text.length } } } as unknown as EditorView;
  const press = { key, ctrlKey: true, altKey: false, shiftKey: false, metaKey: false } as KeyboardEvent;
  expect(composerPress(press, view)).toBe(isComposers ? press : null);
});
