import type { MessageBoxOptions } from 'electron';

/** The window's own files could not be loaded. The core and its terminals keep running, whatever the answer. The first button retries. */
export function loadFailure(reason: string): MessageBoxOptions {
  return {
    type: 'error',
    title: 'Hansard',
    message: 'The window could not be loaded.',
    detail: `${reason}\n\nYour terminals keep running. \`hansard open --web\` shows them in a browser.`,
    buttons: ['Try again', 'Close'],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  };
}
