/** The window itself: first screen, connection, pasting, links, and general actions. */
export const app = {
  name: 'Hansard',
  firstScreen: 'Every command you run here, and everything it prints, goes on the record.',
  noTerminalOpen: 'No terminal is open.',
  openTerminal: 'Open a terminal',
  /** A label or a tooltip with the shortcut, if there is one. */
  withKeys: (text: string, keys: string) => (keys === '' ? text : `${text} · ${keys}`),

  connectionLost: 'Connection to Hansard lost.',
  connectionLostAdvice: 'All output so far is on the record. Reconnecting…',
  restarted: 'Hansard restarted.',
  restartedAdvice: 'Open the new link.',
  outdated: 'Hansard was updated.',
  outdatedAdvice: 'This page is of the earlier version. Load it again; shells and agents continue.',
  reload: 'Load again',
  restart: 'Restart Hansard',
  restartFailed: 'Hansard was not restarted',

  noToken: {
    none: 'This link has no access token.',
    refused: 'Hansard restarted. Open the new link.',
    silent: 'Hansard does not answer at this address. It may have stopped.',
    how: 'In a terminal, run `hansard serve`. Then open the link that it prints, or paste it here. Each link opens one window.',
    link: 'Hansard link',
    open: 'Open',
    wrong: 'This is not a Hansard link: it has no access token after the #. Copy the whole link and paste it again.',
  },

  closeSheet: 'Close',
  actionFailed: 'The action failed',
  notNow: 'The action failed: the connection to Hansard is lost. Try again once it is back.',
  /** The end of a notice about a request. */
  noAnswer: 'the connection to Hansard was lost before it answered',
  namedActionFailed: (name: string) => `“${name}” failed`,

  waiting: (count: number) => (count === 1 ? '1 terminal waits for you' : `${count} terminals wait for you`),

  copied: 'Copied',
  couldNotCopy: 'Could not copy',
  savedAs: (fileName: string) => `Saved as ${fileName}`,
  savedWithout: (fileName: string, lost: string) => `Saved as ${fileName}. The record ${lost}.`,

  paste: {
    title: (lines: string) => `Paste ${lines}?`,
    eachLine: (size: string) => `Each line runs as if typed (${size}).`,
    hidden: 'The text contains invisible characters: what you see may not be what runs.',
    removedControls: 'Control characters were removed.',
    confirm: 'Paste',
    failed: 'Could not paste',
    tooLarge: 'Could not paste: the text is larger than 16 MB. Save it to a file and read the file instead.',
    exited: 'Could not paste: no program is running here. Restart the shell first.',
  },

  clipboard: {
    title: 'Replace clipboard content?',
    body: (program: string) => `${program} wants to put this text on the clipboard:`,
    confirm: 'Replace',
  },

  link: {
    title: (host: string) => `Open ${host}?`,
    body: 'The link leads to this address:',
    confirm: 'Open',
    refused: (reason: string) => `Link not opened: ${reason}.`,
    tooLong: 'the address is too long',
    hidden: 'the address contains hidden or control characters',
    nul: 'the address contains a NUL character',
    invalid: 'the address is not valid',
    userName: 'the address contains a user name',
    protocol: (protocol: string) => `${protocol} addresses are not supported`,
    noHost: 'the address has no host',
    openWithModifier: 'Ctrl-click or ⌘-click to open',
  },

  /** Headings of the command palette and of the list of shortcuts. */
  groups: {
    window: 'Window',
    prompt: 'Prompt',
    view: 'View',
    tabs: 'Tabs',
    panes: 'Panes',
    joinTab: 'Move tab into split',
    card: 'Card',
    conversation: 'Conversation',
    openRecording: 'Open recording',
    newAgent: 'New agent',
    moveToWindow: 'Move tab to window',
  },

  actions: {
    palette: 'Command Palette…',
    settings: 'Settings',
    newWindow: 'New window',
    update: 'Check for updates…',
    toggleKeys: 'Switch between composer and program',
    promptMode: 'Switch between composer and shell prompt',
    tabsPlace: 'Toggle tab position',
    themeDark: 'Theme: dark',
    themeLight: 'Theme: light',
    themeSystem: 'Theme: match system',
    largerText: 'Increase terminal text size',
    smallerText: 'Decrease terminal text size',
    resetText: 'Reset terminal text size',
  },

  /** Keys of lists. */
  listKeys: '↑↓ Select · Enter Open · Esc Close',
  invisibleCharacter: 'Invisible character',
  hiddenTags: (count: number) => `${count} hidden tags`,
  goToNewest: 'Go to newest',
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  dismiss: 'Dismiss',
  dismissNotice: (text: string) => `Dismiss: ${text}`,
  hide: 'Hide',
  loading: 'Loading…',
  notReceived: 'one of its files did not arrive',
  /** `title`: of a part of the window. */
  notLoaded: (title: string, reason: string) =>
    `Could not load “${title}”: ${reason}. Try again; if it fails again, reload the window.`,
  save: 'Save',
  show: 'Show',
  tryAgain: 'Try again',
} as const;
