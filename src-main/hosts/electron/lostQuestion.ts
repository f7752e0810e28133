import type { MessageBoxOptions } from 'electron';

/** The core in the background, which this window had joined, is gone. The first button restarts the app, with a core of its own. */
export function lostQuestion({ doShellsRun }: { doShellsRun: boolean }): MessageBoxOptions {
  return {
    type: 'warning',
    title: 'Hansard',
    message: 'Hansard stopped in the background.',
    detail: doShellsRun
      ? 'Its shells and agents run on. Restart to continue with them.'
      : 'The programs in its terminals ended with it. Their history is kept, and the tabs come back.',
    buttons: ['Restart', 'Quit'],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  };
}
