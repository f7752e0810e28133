import { existsSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

/** Elements that can have the focus before an action on a tab. */
const FROM: Readonly<Record<string, (win: TerminalWindow) => Promise<unknown>>> = {
  'a button': (win) => win.page.getByRole('button', { name: 'Settings', exact: true }).focus(),
  'a card': (win) => win.select(win.cards.last()),
};

const press = (key: string) => (win: TerminalWindow) => win.page.keyboard.press(key);
const inPalette = (name: string) => (win: TerminalWindow) => win.act(name);
const name = (win: TerminalWindow) => win.page.getByRole('textbox', { name: /Tab name/ });
const shown = (win: TerminalWindow) => win.page.getByRole('tab', { selected: true });
const inMenu = (item: string) => async (win: TerminalWindow) => {
  await shown(win).click({ button: 'right' });
  await win.page.getByRole('menuitem', { name: item, exact: false }).first().click();
};
const inPlus = (item: string) => async (win: TerminalWindow) => {
  await win.page.getByRole('button', { name: 'New tab and more' }).click();
  await win.page.getByRole('menuitem', { name: item, exact: false }).first().click();
};

/** Every way to perform an action on a tab. */
const ACTIONS: Readonly<Record<string, (win: TerminalWindow) => Promise<unknown>>> = {
  'new, by key': press('Control+Shift+T'),
  'new, by the palette': inPalette('New bash tab'),
  'new, by the mouse': inPlus('New bash'),
  'new here, by its menu': inMenu('New tab here'),
  'to a tab, by number': press('Control+1'),
  'to a tab, by a click': (win) => win.tabs.first().click(),
  'to the next, by key': press('Alt+Shift+ArrowRight'),
  'to the next, by the palette': inPalette('Next tab'),
  'renamed, by key': async (win) => {
    await win.page.keyboard.press('F2');
    await name(win).fill('Anchor');
    await win.page.keyboard.press('Enter');
  },
  'renamed, by its menu, and given up': async (win) => {
    await inMenu('Rename')(win);
    await name(win).press('Escape');
  },
  'renamed, by a double click': async (win) => {
    await shown(win).dblclick();
    await name(win).press('Enter');
  },
  'moved, by key': press('Alt+Shift+ArrowDown'),
  'moved, by its menu': inMenu('Move down'),
  'hidden from agents': inPalette('Toggle visibility to MCP clients'),
  'closed, by key': press('Control+Shift+W'),
  'closed, by the palette': inPalette('Close tab'),
  'closed, by its menu': inMenu('Close'),
  'closed, by the middle button': (win) => shown(win).click({ button: 'middle' }),
  'restored, by the palette': async (win) => {
    await win.act('Open recording…');
    await win.page.getByRole('option').first().click();
  },
};

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('whatever is done to a tab', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let win: TerminalWindow;

  beforeAll(async () => {
    await app.start();
    win = new TerminalWindow((await browser.open(app.url)).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  /** Three tabs, the last of them with a card. */
  beforeEach(async () => {
    await win.ready();
    while ((await win.tabs.count()) < 3) {
      const before = await win.tabs.count();
      await win.page.keyboard.press('Control+Shift+T');
      await soon(() => win.tabs.count()).toBe(before + 1);
    }
    await win.tabs.nth(1).click();
    await win.ready();
    if ((await win.cards.count()) === 0) await win.run('echo a card');
  });

  test.each(Object.keys(ACTIONS))('%s: the keyboard is at the prompt afterwards', async (what) => {
    for (const from of Object.keys(FROM)) {
      if ((await win.cards.count()) === 0) await win.run('echo a card');
      await FROM[from]?.(win);
      await ACTIONS[what]?.(win);
      await win.page.keyboard.type('bcr'); // without a wait, because no key may be lost while a tab opens or closes
      await win.ready().catch((error) => {
        throw new Error(`from ${from}: ${error}`);
      });
      await soon(() => win.composer.inputValue()).toBe('bcr');
      await win.page.keyboard.press('Control+u');
      if ((await win.tabs.count()) === 1) {
        await win.page.keyboard.press('Control+Shift+T');
        await soon(() => win.tabs.count()).toBe(2);
        await win.ready();
      }
      await soon(() => win.page.locator('[role="menu"], [role="dialog"]').count()).toBe(0); // a palette fades out
    }
  });
});
