/** The settings page and the list of shortcuts. */
export const settings = {
  title: 'Settings',
  page: 'Settings page',
  pages: { settings: 'Settings', keys: 'Shortcuts', json: 'JSON' },

  theme: 'Theme',
  themes: { system: 'Match system', dark: 'Dark', light: 'Light' },
  themesOf: { dark: 'Dark theme', light: 'Light theme' },
  samplePrompt: '$ ls',
  tabs: 'Tab position',
  places: { side: 'Side', top: 'Top' },
  density: 'Card density',
  densities: { comfortable: 'Comfortable', compact: 'Compact' },
  prompt: 'Command input',
  promptAbout: 'Use the shell prompt with fzf, vi mode or autosuggestions.',
  prompts: { composer: 'Composer', shell: 'Shell prompt' },
  showConversation: 'Show conversation panel',
  shows: { auto: 'When there is one', always: 'In every tab', never: 'On request' },
  conversationFont: 'Conversation font',
  fonts: { serif: 'Serif', sans: 'Sans', mono: 'Mono' },
  agentWaits: 'Notify me when an agent needs input',
  agentWaitsAbout:
    'While you look at another tab or another app. If you allow it, Hansard also shows a system notification.',
  sweep: 'Capture off-screen output',
  sweepAbout:
    'After a turn that was longer than the screen, the agent redraws it once in a taller terminal that you do not see. If off, missing lines are marked as not drawn.',
  ownLog: 'Compare with agent log',
  ownLogAbout:
    'Hansard reads the agent’s own log to verify recorded messages and to show differences. The log is never changed.',
  mcpHttp: 'Allow MCP clients over HTTP',
  mcpHttpAbout:
    'On this computer only, with a new token at every start. For clients that cannot start a program; `hansard mcp doctor` shows what they need.',
  shell: 'Default shell',
  loginShell: 'Login shell',
  noIntegration: ' (no shell integration)',
  editor: 'Editor',
  editorAbout:
    'Opens file locations in output, for example with `code -g {file}:{line}`. Empty: $VISUAL or $EDITOR, in a tab if it needs one.',
  editorPlaceholder: '$EDITOR',
  font: 'Terminal font',
  fontAbout: 'Any font on this computer. If it is missing, the built-in font is used.',
  fontSize: 'Terminal text size',
  fontSizeAbout: 'In pixels, 8 to 40.',
  scrollback: 'Scrollback lines',
  scrollbackAbout: 'In a live terminal. The record on disk keeps all lines.',
  longCommand: 'Mark tabs of long commands',
  longCommandAbout: 'After this many seconds, when the command ends while you look elsewhere.',
  quit: 'Quit while programs run',
  quitAbout: 'Programs that are kept run on in the background.',
  quits: { ask: 'Ask', keep: 'Keep running', end: 'End programs' },
  retention: 'Prune closed terminals',
  retentionAbout:
    'Moves them to the trash when unused for this many days of use; 0: never. Bookmarked and exported terminals stay. Above 10 GiB in total, Hansard warns and then prunes the longest unused. `hansard prune --restore` brings them back.',

  findAction: 'Search commands…',
  noAction: 'No matching commands',
  conflicts: (count: number) =>
    count === 1 ? 'Shortcut used twice; the later action wins' : `${count} shortcuts used twice; the later action wins`,
  alsoUsedBy: (actions: string) => ` · also used by: ${actions}`,
  reset: 'Reset to default',
  resetKey: (action: string) => `Reset to default: ${action}`,
  changeKey: (action: string, keys: readonly string[]) =>
    `${action}: ${keys.join(' or ') || 'no shortcut'}. Press to change.`,
  pressKey: 'Press new shortcut',
  noKey: 'No shortcut',

  json: 'settings.json',
  saved: 'Settings saved',
  notSaved: 'Settings not saved',
  revert: 'Revert',
  notAnObject: 'Settings must be one JSON object: { … }',
} as const;
