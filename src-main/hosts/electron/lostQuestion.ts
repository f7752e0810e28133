import type { MessageBoxOptions } from 'electron';

/** The core in the background, which this window had joined, is gone. The first button starts the app anew, with a core of its own. */
export function lostQuestion(): MessageBoxOptions {
  return {
    type: 'warning',
    title: 'Hansard',
    message: 'Hansard stopped in the background.',
    detail: 'The programs in its terminals ended with it. Their history is kept, and the tabs come back.',
    buttons: ['Restart', 'Quit'],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  };
}
