/** Set by the tools that started this process; a shell in a tab must not inherit them. */
const OURS =
  /^(ELECTRON_|HANSARD_|npm_|NODE_OPTIONS$|NODE_CHANNEL_FD$|NODE_UNIQUE_ID$|NODE_ENV_ELECTRON_VITE$|INIT_CWD$|CHROME_DESKTOP$|GOOGLE_API_KEY$)/;

/** Set by the terminal in which this process was started; programs would mistake ours for it. */
const OTHER_TERMINALS =
  /^(TMUX|TMUX_PANE|STY|WINDOW|WINDOWID|TERMCAP|COLUMNS|LINES|TERM_SESSION_ID|TERM_PROGRAM.*|VTE_VERSION|KONSOLE_.*|KITTY_.*|ALACRITTY_.*|WEZTERM_.*|ITERM_.*|LC_TERMINAL.*|GHOSTTY_.*|VSCODE_.*|WT_.*|ZELLIJ.*|WARP_.*|GNOME_TERMINAL_.*|INSIDE_EMACS)$/;

type Env = Readonly<Record<string, string | undefined>>;

/** Entries that npm puts in front of PATH when it runs a script. */
const NPM_PATH_ENTRY = /(^|\/)(node_modules\/\.bin|node-gyp-bin)$/;

/**
 * The environment of a shell in a tab: ours without variables of our own or of another terminal, plus those that describe this
 * terminal to programs. Sets a locale only if there is none, because a C locale garbles all non-ASCII characters.
 */
export function childEnv(parent: Env, version: string): Record<string, string> {
  const own = Object.entries(sameTerminalEnv(parent)).filter(([name]) => !OTHER_TERMINALS.test(name));
  return {
    ...Object.fromEntries(own),
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'hansard',
    TERM_PROGRAM_VERSION: version,
  };
}

/** The same for a program shown on the terminal in which this process was started: that terminal's variables stay. */
export function sameTerminalEnv(parent: Env): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent)) if (value !== undefined && !OURS.test(name)) env[name] = value;
  const startedByNpm = parent.npm_lifecycle_event !== undefined;
  if (startedByNpm && env.PATH !== undefined) {
    env.PATH = env.PATH.split(':')
      .filter((entry) => !NPM_PATH_ENTRY.test(entry))
      .join(':');
  }
  if (!env.LC_ALL && !env.LC_CTYPE && !env.LANG) env.LANG = 'C.UTF-8';
  return env;
}
