/** The composer, in which commands are typed. */
export const composer = {
  command: 'Command',
  placeholder: 'Type a command',
  lineFor: (program: string) => `Line for ${program}`,
  completions: 'Completions',
  kinds: {
    command: 'command',
    subcommand: 'subcommand',
    option: 'option',
    argument: 'value',
    file: 'file',
    folder: 'folder',
    branch: 'branch',
    tag: 'tag',
    remote: 'remote',
    script: 'script',
    host: 'host',
    process: 'process',
    container: 'container',
    variable: 'variable',
    history: 'history',
    saved: 'saved',
  },
  modes: { insert: 'Insert', normal: 'Normal', visual: 'Visual', replace: 'Replace' },
  vimLine: 'Vim command or search',
  notFound: 'Command not found',
  notFoundNamed: (words: readonly string[]) => `Command not found: ${words.join(', ')}`,
  nextTab: 'Command for the next tab',

  last: (badge: string) => `last ${badge}`,
  lastExit: (badge: string) => `last exit ${badge}`,
  invisible: 'invisible characters in this line',
  history: 'History',
  keysToProgram: (program: string, keys: string) =>
    keys === '' ? `Keys go to ${program}` : `Keys go to ${program} · ${keys} for the composer`,
  keysToComposer: (program: string, keys: string) =>
    keys === '' ? 'Keys go to the composer' : `Keys go to the composer · ${keys} for ${program}`,

  ended: 'Shell exited',
  historyKept: (status: string) => `${status}. Its history is kept.`,
  recording: 'Recording. It is kept when you close the tab.',
  closeTab: 'Close tab',
  restart: (shell: string) => `Restart ${shell}`,

  held: (characters: string) => `Typed ahead and not run: ${characters}`,
  show: 'Show',
  discard: 'Discard',

  sendFailed: 'Could not send the line',
  sendUnsure: 'The connection was lost while the line was sent, so it may have run. Look before you send it again.',
  refusals: {
    exited: 'Not sent: the shell in this tab exited. Restart it first.',
    busy: 'Not sent: another command started here. Check it, then send the line again.',
    unfinished:
      'Not sent: a line at the shell’s own prompt is unfinished. Under “Terminal”, finish it or delete it and press Return; then send this one again.',
    empty: 'Nothing to run',
    'too-long': 'Not sent: the line is longer than the program can take at once. Send it in parts.',
  },

  /** Keys that an on-screen keyboard lacks. */
  keyRow: {
    label: 'Keys',
    escape: 'Esc',
    tab: 'Tab',
    ctrl: 'Ctrl',
    interrupt: 'Ctrl+C',
    next: 'Key to press with Ctrl',
    left: 'Left',
    up: 'Up',
    down: 'Down',
    right: 'Right',
  },
} as const;
