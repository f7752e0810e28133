/** Tabs, the bar above a terminal, and what a tab says of its terminal. */
export const tabs = {
  terminals: 'Terminals',
  terminal: (label: string) => `Terminal ${label}`,
  noTerminal: 'No terminal',

  actions: {
    newTab: 'New tab',
    newTabWith: (shell: string) => `New ${shell} tab`,
    close: 'Close tab',
    rename: 'Rename tab',
    hide: 'Toggle visibility to MCP clients',
    restart: 'Restart shell',
    nextWaiting: 'Next waiting tab',
    next: 'Next tab',
    previous: 'Previous tab',
    moveUp: 'Move tab up',
    moveDown: 'Move tab down',
    goTo: (number: number) => `Go to tab ${number}`,
    openRecording: 'Open recording…',
    exportCast: 'Export terminal as asciicast',
    saveScreen: (format: string) => `Save screen as ${format}`,
  },

  addMenu: 'New tab and more',
  addMenuTip: 'New tab, command palette, settings',
  newShell: (shell: string) => `New ${shell}`,

  menu: {
    rename: 'Rename',
    newTabHere: 'New tab here',
    hide: 'Hide from MCP clients',
    show: 'Show to MCP clients',
    audit: 'Show audit log',
    exportCast: 'Export as asciicast',
    saveScreen: 'Save screen as PNG',
    moveUp: 'Move up',
    moveDown: 'Move down',
    close: 'Close',
  },

  nameField: 'Tab name; leave empty to reset',
  hidden: 'Hidden from MCP clients',
  allOpen: 'All recorded terminals are open already',
  shellIn: (shell: string, folder: string) => `${shell} in ${folder}`,
  screenNotSaved: (reason: string) => `Screen not saved: ${reason}`,

  closeQuestion: {
    title: (label: string) => `Close “${label}”?`,
    one: 'This program is still running. Closing the tab ends it:',
    many: 'These programs are still running. Closing the tab ends them:',
    confirm: 'Close and end',
  },

  view: 'View',
  cardsView: 'Cards',
  cardsViewTip: 'Show one card per command',
  terminalView: 'Terminal',
  terminalViewTip: 'Show a plain terminal',
  branch: 'Branch',
  notRecorded: 'Not recorded',
  search: 'Search',

  quality: {
    title: 'Shell integration',
    basic: 'Limited shell integration',
    none: 'No shell integration',
    degraded: 'Command detection may be unreliable',
    copyFix: 'Copy fix',
    copiedFix: 'Copied fix',
  },

  /** The second line of a tab has room for some 26 characters. */
  line: {
    approve: (what: string) => `approve: ${what}`,
    control: 'asks for control',
    asks: (question: string) => `asks: ${question}`,
    done: (command: string) => `done: ${command}`,
    endedBy: (signal: string) => `ended by ${signal}`,
    exited: 'exited',
    exitedWith: (code: number) => `exited ${code}`,
    recording: 'recording',
    recordingExited: (code: number) => `recording, exit ${code}`,
  },

  status: {
    asksToRun: (client: string, command: string) => `${client} asks to run “${command}”`,
    asksToType: (client: string, text: string) => `${client} asks to type “${text}”`,
    asksForControl: (client: string) => `${client} asks for control`,
    running: (program: string) => `${program} is running`,
    bell: 'Bell',
    finished: (command: string) => `${command} finished`,
    exited: 'Shell exited',
    exitedWith: (code: number) => `Shell exited with code ${code}`,
    failed: 'Shell exited with an error',
    endedBy: (signal: string) => `Shell was ended by ${signal}`,
    recording: 'Recording',
    idle: 'Idle',
    hidden: (status: string) => `${status}, hidden from MCP clients`,
  },

  /** Where the name of what runs is not known. */
  theProgram: 'the program',
  aCommand: 'a command',
} as const;
