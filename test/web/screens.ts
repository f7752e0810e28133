import { strings } from '../../src-renderer/app/strings.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import type { Stage } from './Stage.ts';

export type Screens = Readonly<Record<string, (win: TerminalWindow, stage: Stage) => Promise<unknown>>>;

const { settings } = strings;

/** Every screen of a window with a record. A new screen is one line: a name, and the way to it. `Stage.ready` leads back. */
export const SCREENS: Screens = {
  cards: (win) => win.card('for n').waitFor({ state: 'attached' }),
  'a card in card mode': (win) => win.select(win.cards.last()),
  'a card with its tools': (win) => win.cards.last().hover(),
  'selected cards': async (win) => {
    await win.select(win.cards.last());
    for (const count of [2, 3]) {
      await win.page.keyboard.press('Shift+ArrowUp');
      await soon(() => win.page.locator('.card.selected').count()).toBe(count);
      await soon(() => win.page.locator('.card.selected').first().and(win.page.locator(':focus.chosen')).count()).toBe(
        1,
      );
    }
  },
  'a running card': (win) => win.start('echo waits; sleep 300'),
  'a full-screen program': (win) =>
    win.start(`bash -c 'trap "tput rmcup" EXIT; tput smcup; echo full screen; sleep 300'`),
  'a card that does not wrap': async (win) =>
    win.choose(await win.run("printf 'column %.0s' {1..200}; echo"), strings.cards.noWrap),
  'a filtered card': async (win) => win.choose(win.card('(echo'), strings.cards.filter),
  'find in the tab': (win) => press(win, 'Control+f', '.find, [role=search]'),
  'the terminal view': (win) => win.act(strings.cards.list.toggleView),
  'completions in the composer': async (win) => {
    await win.composer.pressSequentially('git ch');
    await win.page.getByRole('listbox').waitFor();
  },
  'the conversation': (win) => shown(win, '[data-chat] li.said'),
  'find in the conversation': async (win) => {
    await win.act(strings.conversation.actions.focus);
    await press(win, 'Control+f', '[data-chat] input');
  },
  'export of the conversation': (win) => dialog(win, win.act(strings.conversation.actions.export)),
  'the palette': (win) => press(win, 'Control+Shift+P', '[role=dialog] [role=option]'),
  'the palette without a match': async (win) => {
    await press(win, 'Control+Shift+P', '[role=dialog] [role=option]');
    await win.page.getByPlaceholder(strings.search.palette.placeholder).fill('nothing like that');
    await win.page.getByText(strings.search.palette.noMatch).waitFor();
  },
  'search everything': (win) => press(win, 'Control+Shift+F', '[role=dialog]'),
  'search everything with hits': async (win) => {
    await press(win, 'Control+Shift+F', '[role=dialog]');
    await win.page.getByPlaceholder(strings.search.placeholder).fill('berth');
    await shown(win, '[role=dialog] [role=option]');
  },
  'the history': (win) => press(win, 'Control+r', '[role=dialog] [role=option]'),
  notifications: (win) => dialog(win, win.act(strings.notifications.actions.open)),
  'the page of all agents': (win) => press(win, 'Control+Shift+A', '[data-keys=agents]'),
  'past conversations': (win) => press(win, 'Control+Shift+Y', '[data-keys=history] li'),
  'the form that starts an agent': (win) => press(win, 'Control+Shift+N', '[role=dialog] select'),
  'hosts to connect to': (win) => dialog(win, win.act(strings.machines.actions.connect)),
  'saved commands': (win) => dialog(win, win.act(strings.saved.actions.open)),
  'the form of a saved command': (win) => dialog(win, win.choose(win.cards.last(), strings.saved.actions.fromCard)),
  'the audit log': (win) => press(win, 'Alt+Shift+A', '[role=dialog] [role=option]'),
  'a replay': async (win) => {
    await win.choose(win.cards.last(), strings.replay.actions.card);
    await shown(win, '.replay .xterm-rows');
  },
  ...Object.fromEntries(
    Object.values(settings.groups).map((group) => [
      `settings: ${group}`,
      async (win: TerminalWindow) => {
        await press(win, 'Control+,', '[role=dialog]');
        await win.page.getByRole('searchbox', { name: settings.findSetting }).fill(group);
        await win.page.getByRole('dialog').getByRole('heading', { name: group }).waitFor();
      },
    ]),
  ),
  'all settings': (win) => press(win, 'Control+,', '[role=dialog] .find'),
  'the import of a theme that fails': async (win) => {
    await press(win, 'Control+,', '[role=dialog] .find');
    const bad = { name: 'bad', mimeType: 'text/plain', buffer: Buffer.from('background = teal') };
    await win.page.locator('input[type="file"]').setInputFiles(bad);
    await win.page.getByText('is "teal"').waitFor();
  },
  shortcuts: (win) => settingsPage(win, settings.pages.keys),
  'settings.json': (win) => settingsPage(win, settings.pages.json),
  'the menu of a card': (win) => menu(win, '.card h3'),
  'the menu of a tab': (win) => menu(win, '[role=tab]'),
  'the plus menu': async (win) => {
    await win.page.getByRole('button', { name: strings.tabs.addMenu }).click();
    await shown(win, '[role=menu]');
  },
  'a tab that is renamed': (win) => press(win, 'F2', '[role=tablist] input, aside input'),
  'a question before a paste': async (win) => {
    await win.start('cat');
    await win.page.evaluate(() => {
      const data = new DataTransfer();
      data.setData('text/plain', 'one\ntwo\u202e\nthree\n');
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    });
    await win.page.getByRole('dialog').waitFor();
  },
  'a client that asks to run': async (win, stage) => {
    stage.ask('npm publish --access public');
    await win.page.getByRole('region', { name: /asks to run/ }).waitFor();
  },
  'tabs on top': (win) => win.act(strings.app.actions.tabsPlace),
  'the prompt of the shell': (win) => win.act(strings.app.actions.promptMode),
  'four panes': async (win) => {
    for (const way of ['splitRight', 'splitDown', 'splitDown'] as const) {
      const before = await win.page.locator('[data-pane-of]').count();
      await win.act(strings.panes.actions[way]);
      await soon(() => win.page.locator('[data-pane-of]').count()).toBe(before + 1);
    }
  },
  'a narrow window': async (win) => {
    await win.page.setViewportSize({ width: 900, height: 700 });
    await shown(win, 'aside.dots');
  },
  'a lost connection': async (win, stage) => {
    stage.line.cut();
    await win.page.getByText(strings.app.connectionLost).first().waitFor();
  },
};

/** Screens of a window without a record. */
export const EMPTY_SCREENS: Screens = {
  'the choices of the first run': (win) => win.page.getByRole('region', { name: strings.welcome.title }).waitFor(),
  'the first screen': async (win) => {
    await win.page.keyboard.press('Escape');
    await win.page.getByText(strings.app.firstScreen).waitFor();
  },
  'no history': (win) => press(win, 'Control+r', '[role=dialog]'),
  'no notifications': (win) => dialog(win, win.act(strings.notifications.actions.open)),
  'no audit': (win) => press(win, 'Alt+Shift+A', '[role=dialog]'),
  'nothing found': async (win) => {
    await press(win, 'Control+Shift+F', '[role=dialog]');
    await win.page.getByPlaceholder(strings.search.placeholder).fill('nothing like that');
    await win.page.getByText(strings.search.noMatch('nothing like that')).waitFor();
  },
  'no conversation': async (win) => {
    await win.act(strings.conversation.actions.toggle);
    await win.page.getByText(strings.conversation.empty).waitFor();
  },
  'no terminal': async (win) => {
    await win.act(strings.tabs.actions.close);
    await win.page.getByText(strings.app.noTerminalOpen).waitFor();
  },
};

async function shown(win: TerminalWindow, selector: string): Promise<void> {
  await win.page.locator(selector).first().waitFor();
}

async function press(win: TerminalWindow, keys: string, selector: string): Promise<void> {
  await win.page.keyboard.press(keys);
  await shown(win, selector);
}

async function dialog(win: TerminalWindow, opened: Promise<unknown>): Promise<void> {
  await opened;
  await soon(() => win.page.getByRole('dialog').count()).toBe(1); // the palette has faded out
}

async function menu(win: TerminalWindow, selector: string): Promise<void> {
  await win.page.locator(selector).last().click({ button: 'right' });
  await shown(win, '[role=menu]');
}

async function settingsPage(win: TerminalWindow, name: string): Promise<void> {
  await press(win, 'Control+,', '[role=dialog]');
  await win.page.getByRole('dialog').getByText(name, { exact: true }).first().click();
}
