import { describe, expect, test } from 'vitest';
import { backgroundColor, windowOptions } from '../../../../src-main/hosts/electron/windows/windowOptions.ts';

const place = { bounds: { x: 5, y: 6, width: 900, height: 600 }, isMaximized: false, isFullScreen: false };
const look = { isDark: true, preload: '/app/preload.cjs', icon: '/app/icon.png', devTools: false };

describe('the window', () => {
  test('is made with these options and no others', () => {
    expect(windowOptions(place, look)).toEqual({
      x: 5,
      y: 6,
      width: 900,
      height: 600,
      minWidth: 480,
      minHeight: 320,
      show: false,
      autoHideMenuBar: true,
      title: 'Hansard',
      backgroundColor: '#14161a',
      icon: '/app/icon.png',
      webPreferences: {
        preload: '/app/preload.cjs',
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webviewTag: false,
        navigateOnDragDrop: false,
        spellcheck: false,
        devTools: false,
      },
    });
  });

  test.each([
    'webSecurity',
    'allowRunningInsecureContent',
    'experimentalFeatures',
    'enableBlinkFeatures',
    'commandLineSwitches',
    'additionalArguments',
    'disableBlinkFeatures',
  ])('has no %s', (name) => {
    expect(Object.keys(windowOptions(place, look).webPreferences ?? {})).not.toContain(name);
  });

  test('is left to the system to place when there is no place, and has no icon where the bundle has it', () => {
    const options = windowOptions({ ...place, bounds: { width: 900, height: 600 } }, { ...look, icon: null });
    expect(Object.keys(options).filter((key) => ['x', 'y', 'icon'].includes(key))).toEqual([]);
  });

  test('is as dark or light as the page will be', () => {
    expect([backgroundColor(true), backgroundColor(false)]).toEqual(['#14161a', '#faf8f2']);
  });
});
