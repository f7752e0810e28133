/** The choices of the first run. */
export const welcome = {
  title: 'First choices',
  theme: 'Theme',
  input: 'Command input',
  inputs: {
    composer: 'Composer',
    composerAbout: 'An editor with completion and history',
    shell: 'Shell prompt',
    shellAbout: 'Your own prompt, keys and plugins',
  },
  notifications: 'Notifications',
  notify: {
    on: 'On',
    onAbout: 'Long commands and agents that need you',
    off: 'Off',
    offAbout: 'Nothing interrupts you',
  },
  blocked: 'This browser blocks notifications of the page. They appear in the list of notifications only.',
  later: (keys: string) => `You can type at once. All of this is in Settings (${keys}).`,
  laterNoKeys: 'You can type at once. All of this is in Settings.',
  skip: 'Skip',
  done: 'Done',
} as const;
