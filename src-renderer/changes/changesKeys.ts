import type { Attachment } from 'svelte/attachments';
import { guard } from '../tabs/tabActions.ts';
import { isComposing } from '../ui/browser/isComposing.ts';
import type { ChangesState } from './ChangesState.svelte.ts';

const STEPS: Readonly<Record<string, 1 | -1>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/** Handles keys of the list while a row has the focus: arrows move, `o` opens, `c` copies, `r` restores. The row itself handles Enter. */
export function changesKeys(state: ChangesState): Attachment<HTMLElement> {
  return (list) => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isComposing(event)) return;
      const target = event.target as HTMLElement;
      const at = state.rows.findIndex(({ key }) => key === target.dataset.row);
      if (at < 0 && target !== list) return;
      const by = STEPS[event.key];
      if (by !== undefined) focusRow(list, state, state.rows[at < 0 ? 0 : at + by]?.key);
      else if (!perform(state, at, event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    list.addEventListener('keydown', onKey);
    return () => list.removeEventListener('keydown', onKey);
  };
}

function perform(state: ChangesState, at: number, key: string): boolean {
  const row = state.rows[at];
  if (!row) return false;
  const { turn, file } = row;
  if (key === 'o') guard(state.app, state.openFile(turn, file));
  else if (key === 'c') guard(state.app, state.copyPatch(turn, file.id));
  else if (key === 'r') guard(state.app, state.restore(turn, file));
  else return false;
  return true;
}

function focusRow(list: HTMLElement, state: ChangesState, key: string | undefined): void {
  if (key === undefined) return;
  state.place.cursor = key;
  list.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`)?.focus();
}
