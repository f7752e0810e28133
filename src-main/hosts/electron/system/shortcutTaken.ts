import type { MessageBoxOptions } from 'electron';

/** A shortcut is a few words; a longer text is no shortcut, and would fill the dialog. */
const MAX_SHOWN_CHARS = 40;

/** The shortcut that shows the window does not work. */
export function shortcutTaken(keys: string): MessageBoxOptions {
  return {
    type: 'warning',
    title: 'Hansard',
    message: `The shortcut ${keys.slice(0, MAX_SHOWN_CHARS)} cannot be used.`,
    detail:
      'Another program has it, or it is not a shortcut such as Ctrl+Alt+H. Choose another one in the settings under "Shortcut that shows Hansard".',
    buttons: ['OK'],
    noLink: true,
  };
}
