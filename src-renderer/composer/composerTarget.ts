import type { ComposerTarget } from '../app/Focus.svelte.ts';
import { guard } from '../tabs/tabActions.ts';
import { type Desk, walkHistory } from './runCommand.ts';

/** What the rest of the window does with a composer. `desk`: undefined until its editor is mounted. */
export function composerTarget(desk: () => Desk | undefined): ComposerTarget {
  return {
    focus: () => desk()?.editor.focus(),
    insert: (text) => {
      const { editor } = desk() ?? {};
      if (!editor) return;
      const { start, end } = editor.look();
      editor.apply({ from: start, to: end, insert: text });
      editor.focus();
    },
    fill: ({ text, fields }) => {
      const { editor, composer } = desk() ?? {};
      if (!editor) return;
      const { start, end } = editor.look();
      editor.fill({ from: start, to: end, insert: text }, fields);
      composer?.filled();
    },
    putCaret: (text, caret) => {
      const { editor } = desk() ?? {};
      editor?.show(text);
      editor?.select(caret, caret);
    },
    selectLine: (text) => {
      const { app, editor } = desk() ?? {};
      editor?.show(text);
      if (!editor || app?.settings.current['composer.keys'] === 'vim') return false;
      editor.select(0, text.length);
      return true;
    },
    walk: (by, then) => {
      const at = desk();
      if (at) guard(at.app, walkHistory(at, by, then));
    },
  };
}
