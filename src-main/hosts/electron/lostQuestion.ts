import type { MessageBoxOptions } from 'electron';

/** The core in the background, which this window had joined, is gone. The first button starts the app anew, with a core of its own. */
export function lostQuestion(): MessageBoxOptions {
  return {
    type: 'warning',
    title: 'Hansard',
    message: 'The Hansard in the background has ended.',
    detail: 'What ran in its terminals ended with it. Its record is kept, and the tabs come back.',
    buttons: ['Start again', 'Quit'],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  };
}
