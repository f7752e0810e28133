import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const theme = EditorView.theme({
  '&': { color: 'var(--text)', background: 'none' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    maxHeight: 'min(40vh, calc(12 * 1.55em))',
    font: 'var(--size-command) / 1.55 var(--face-mono)',
    overflow: 'auto',
  },
  '.cm-content': { padding: '0', caretColor: 'var(--green)' },
  '.cm-line': { position: 'relative', overflowX: 'clip', padding: '0', overflowWrap: 'anywhere' },
  '.cm-ghost': { position: 'absolute', color: 'var(--text-3)', whiteSpace: 'pre', pointerEvents: 'none' },
  '.cm-unknown': {
    textDecorationLine: 'underline',
    textDecorationStyle: 'wavy',
    textDecorationColor: 'var(--red)',
    textDecorationThickness: '1px',
    textDecorationSkipInk: 'none',
    textUnderlineOffset: '1px',
  },
  '.cm-field': { borderBottomWidth: '1px', borderBottomStyle: 'dashed', borderBottomColor: 'var(--text-3-read)' },
  '.cm-field-now': { borderBottomColor: 'var(--green)', borderBottomStyle: 'solid' },
  '.cm-placeholder': { color: 'var(--text-3-read)' },
  // As readable on the caret's block as a typed letter.
  '&.cm-focused .cm-placeholder::first-letter': { color: 'var(--text)' },
  // A block behind its character, which stays readable.
  '.cm-cursorLayer': { zIndex: '-1 !important' },
  '.cm-cursor, .cm-dropCursor': {
    width: '1ch',
    borderLeft: '0',
    marginLeft: '0',
    background: 'color-mix(in srgb, var(--green) 80%, transparent)',
  },
  '.cm-fat-cursor': { background: 'color-mix(in srgb, var(--green) 80%, transparent) !important' },
  '&:not(.cm-focused) .cm-fat-cursor': { background: 'none !important', outlineColor: 'var(--green) !important' },
  '.cm-searchMatch': { background: 'var(--selection) !important' },
  '.cm-panels': { border: '0', background: 'none', color: 'var(--text)' },
  '.cm-vim-panel': { padding: '0 !important', font: 'var(--size-command) / 1.55 var(--face-mono)' },
  '.cm-vim-panel input': { flex: '1', color: 'inherit', font: 'inherit' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--selection) !important',
  },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--selected)', textDecoration: 'underline' },
  '&.cm-focused .cm-nonmatchingBracket': { background: 'none', color: 'var(--red)' },
});

export const editorColors = HighlightStyle.define([
  { tag: tags.function(tags.variableName), color: 'var(--green)' },
  { tag: tags.attributeName, color: 'var(--blue)' },
  { tag: [tags.string, tags.quote], color: 'var(--amber)' },
  { tag: [tags.definition(tags.variableName), tags.keyword], color: 'var(--ansi-5)' },
  { tag: tags.operator, color: 'var(--text-2)' },
  { tag: [tags.comment, tags.meta], color: 'var(--text-3-read)' },
]);

export const editorTheme: Extension = [theme, syntaxHighlighting(editorColors)];
