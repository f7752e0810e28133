import { describe, expect, test } from 'vitest';
import { editMenu } from '../../../src-main/hosts/electron/windows/editMenu.ts';
import { shiftPlace } from '../../../src-main/hosts/electron/windows/windowState.ts';
import { zoomAfter } from '../../../src-main/hosts/electron/windows/zoomKeys.ts';

const press = (key: string, held: Partial<Record<'control' | 'alt' | 'meta', boolean>> = { control: true }) => ({
  type: 'keyDown' as const,
  key,
  control: false,
  alt: false,
  meta: false,
  ...held,
});

describe('zoom keys', () => {
  test.each([
    ['=', 0, 1],
    ['+', 1, 2],
    ['-', 0, -1],
    ['0', 3, 0],
    ['=', 4, 4],
    ['-', -4, -4],
  ])('Ctrl and %s at level %i gives level %i', (key, level, next) => {
    expect(zoomAfter(press(key), level, 'linux')).toBe(next);
    expect(zoomAfter(press(key, { meta: true }), level, 'darwin')).toBe(next);
  });

  test.each([
    ['no modifier', press('=', {})],
    ['Alt as well, which changes the terminal text', press('=', { control: true, alt: true })],
    ["Ctrl+_, which is the shell's undo", press('_')],
    ['a letter', press('c')],
    ['a key that goes up', { ...press('='), type: 'keyUp' as const }],
    ['the other system key', press('=', { meta: true })],
  ])('leaves the page %s', (_name, input) => {
    expect(zoomAfter(input, 0, 'linux')).toBe(null);
  });
});

describe('the edit menu', () => {
  const editFlags = {
    canCut: true,
    canCopy: true,
    canPaste: true,
    canDelete: true,
    canSelectAll: true,
    canUndo: false,
    canRedo: false,
    canEditRichly: false,
  };
  const roles = (isEditable: boolean, selectionText: string) =>
    editMenu({ isEditable, selectionText, editFlags })?.flatMap(({ role }) => role ?? []) ?? null;

  test('offers everything in a text field, copy on selected text, and nothing elsewhere', () => {
    expect(roles(true, '')).toEqual(['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll']);
    expect(roles(false, 'some text')).toEqual(['copy']);
    expect(roles(false, '  ')).toBe(null);
  });

  test('offers only what the field can do', () => {
    const undo = editMenu({ isEditable: true, selectionText: '', editFlags })?.[0];
    expect(undo).toMatchObject({ role: 'undo', enabled: false });
  });
});

test('one more window stands beside the first, as large and not maximised', () => {
  const bounds = { x: 10, y: 20, width: 1000, height: 700 };
  expect(shiftPlace({ version: 1, bounds, isMaximized: true, isFullScreen: true })).toEqual({
    version: 1,
    bounds: { x: 38, y: 48, width: 1000, height: 700 },
    isMaximized: false,
    isFullScreen: false,
  });
});
