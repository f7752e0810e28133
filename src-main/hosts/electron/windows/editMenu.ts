import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron';

/** The context menu of text fields and selected text; null elsewhere, where the page has its own menus. */
export function editMenu({
  isEditable,
  selectionText,
  editFlags,
}: Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'editFlags'>): MenuItemConstructorOptions[] | null {
  const copy: MenuItemConstructorOptions = { role: 'copy', label: 'Copy', enabled: editFlags.canCopy };
  if (!isEditable) return selectionText.trim() === '' ? null : [copy];
  return [
    { role: 'undo', label: 'Undo', enabled: editFlags.canUndo },
    { role: 'redo', label: 'Redo', enabled: editFlags.canRedo },
    { type: 'separator' },
    { role: 'cut', label: 'Cut', enabled: editFlags.canCut },
    copy,
    { role: 'paste', label: 'Paste', enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', label: 'Select all', enabled: editFlags.canSelectAll },
  ];
}
