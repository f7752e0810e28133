import type { BrowserWindowConstructorOptions } from 'electron';
import type { WindowPlace } from './windowState.ts';

export interface WindowLook {
  isDark: boolean;
  /** Absolute path of the bundled preload. */
  preload: string;
  /** Absolute path of a PNG; null where the system takes the icon from the app's bundle. */
  icon: string | null;
  /** Only for work on Hansard itself; a packaged app never has them. */
  devTools: boolean;
}

/** `--background` of both themes: shown until the page paints. */
const BACKGROUND = { dark: '#14161a', light: '#faf8f2' } as const;

/** Narrower than this even the folded tabs leave no room for eighty columns. */
const MIN_SIZE = { minWidth: 480, minHeight: 320 } as const;

export function backgroundColor(isDark: boolean): string {
  return isDark ? BACKGROUND.dark : BACKGROUND.light;
}

/**
 * Everything the window is made with. Written out and never spread from elsewhere: an option that slipped in could give
 * the page powers. What the checklist wants untouched (`webSecurity`, `allowRunningInsecureContent`, experimental and
 * blink features) is absent on purpose.
 */
export function windowOptions({ bounds }: WindowPlace, look: WindowLook): BrowserWindowConstructorOptions {
  return {
    ...(bounds.x !== undefined && bounds.y !== undefined && { x: bounds.x, y: bounds.y }),
    width: bounds.width,
    height: bounds.height,
    minWidth: MIN_SIZE.minWidth,
    minHeight: MIN_SIZE.minHeight,
    show: false,
    autoHideMenuBar: true, // Alt shows it; macOS has it at the top of the screen
    title: 'Hansard',
    backgroundColor: backgroundColor(look.isDark),
    ...(look.icon !== null && { icon: look.icon }),
    webPreferences: {
      preload: look.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: look.devTools,
    },
  };
}
