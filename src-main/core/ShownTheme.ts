import type { TerminalColors } from '../contract/screen/frame.ts';
import type { Settings } from '../contract/settings.ts';
import type { Theme } from '../contract/window/theme.ts';
import { ThemeStore } from '../themes/ThemeStore.ts';

interface Spec {
  settings(): Settings;
  /** Called when the shown colours change. */
  changed(colors: TerminalColors): void;
}

/** The theme that the window shows: programs that ask for colours get it, and pictures of screens are drawn in it. */
export class ShownTheme {
  readonly #spec: Spec;
  readonly themes: ThemeStore;
  /** What a window reported last; undefined before the first. */
  #kind: Theme['kind'] | undefined;
  #colors: TerminalColors | undefined;

  constructor(dataFolder: string, spec: Spec) {
    this.#spec = spec;
    this.themes = new ThemeStore(dataFolder);
  }

  get theme(): Theme {
    const settings = this.#spec.settings();
    const kind = this.#kind ?? (settings.theme === 'light' ? 'light' : 'dark');
    return this.themes.find(kind, settings[`theme.${kind}`]);
  }

  get colors(): TerminalColors {
    const { foreground, background, cursor } = this.theme;
    return { foreground, background, cursor };
  }

  /** A window reports its theme at its start and at each change. Without a window, the last theme stays. */
  async shows(kind: Theme['kind']): Promise<void> {
    this.#kind = kind;
    await this.themes.list(); // the command line may have imported the theme on display
    const { colors } = this;
    if (JSON.stringify(colors) === JSON.stringify(this.#colors)) return;
    this.#colors = colors;
    this.#spec.changed(colors);
  }
}
