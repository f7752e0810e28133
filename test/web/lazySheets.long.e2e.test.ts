import { existsSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';

/** The sheets and pages that load on demand, by the name of their file. */
const PARTS = [
  'AgentsPage',
  'AuditSheet',
  'EverywherePanel',
  'HistoryPage',
  'HistoryPanel',
  'ImageSheet',
  'MachineSheet',
  'NotificationPanel',
  'Palette',
  'ReplaySheet',
  'SavedSheet',
  'SettingsSheet',
  'StartSheet',
];

const PALETTE = { part: 'Palette', keys: 'Control+Shift+P', title: strings.search.palette.title };
const SAVED = { part: 'SavedSheet', keys: 'Control+Shift+;', title: strings.saved.title };
const SETTINGS = { part: 'SettingsSheet', keys: 'Control+,', title: strings.settings.title };
const AGENTS = { part: 'AgentsPage', keys: 'Control+Shift+A', title: strings.agents.title };
const PAST = { part: 'HistoryPage', keys: 'Control+Shift+Y', title: strings.history.title };

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('sheets that load on demand', () => {
  const served = new ServedWindow();
  let win: TerminalWindow;
  /** Addresses that the page asked for since the test began. */
  let requests: string[] = [];
  const press = (keys: string) => win.page.keyboard.press(keys);
  const type = (text: string) => win.page.keyboard.type(text);
  const sheet = (title: string) => win.page.getByRole('dialog', { name: title });
  const loading = (title: string) => sheet(title).getByText(strings.app.loading);
  const file = (part: string, ext = 'js') => new RegExp(`/assets/${part}-[\\w-]+\\.${ext}$`);

  /** Holds a file back until the returned function is called, which a reload would wait for. */
  async function hold(part: string): Promise<() => Promise<void>> {
    const { promise, resolve } = Promise.withResolvers<void>();
    await win.page.route(file(part), (route) => promise.then(() => route.continue()));
    return async () => {
      resolve();
      await win.page.unrouteAll({ behavior: 'wait' });
    };
  }

  beforeAll(async () => {
    win = await served.start();
    win.page.on('request', (request) => requests.push(request.url()));
  });

  afterAll(() => served.dispose());

  test('are loaded once the window is idle, and then open without a request', async () => {
    const loaded = () =>
      win.page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
    await soon(async () => {
      const names = await loaded();
      return PARTS.filter((part) => names.every((name) => !file(part).test(name)));
    }).toEqual([]);
    await win.ready();
    requests = [];
    for (const { keys, title } of [PALETTE, SAVED, SETTINGS]) {
      await press(keys);
      await type('a'); // at once: the field of the sheet has the keys already
      await soon(() => sheet(title).count()).toBe(1);
      await press('Escape');
      await soon(() => win.focused()).toBe('line');
      expect(await win.composer.inputValue()).toBe('');
    }
    expect(requests.filter((url) => /\.(js|css)$/.test(url))).toEqual([]);
  });

  test('what an action of the palette opens has the keys typed right after Return', async () => {
    await win.ready();
    await win.start('cat');
    for (const [action, zone] of [
      [strings.app.actions.settings, 'text'],
      [strings.saved.actions.open, 'text'],
      [strings.agents.action, 'agents'],
    ] as const) {
      await win.act(action);
      await type('zz');
      await soon(() => win.focused()).toBe(zone);
      await press('Escape');
      await soon(() => win.focused()).toBe('program');
    }
    await type('seen\n');
    await soon(() => win.liveRows()).toEqual(['seen', 'seen']);
    await press('Control+c');
    await win.ready();
  });

  test('a page that closes returns the focus to the composer or the program', async () => {
    const pages = [AGENTS, PAST].flatMap(({ keys }) => [keys, 'Escape'].map((close) => ({ keys, close })));
    const page = win.page.locator('[data-keys="agents"], [data-keys="history"]');
    const openAndClose = async ({ keys, close }: { keys: string; close: string }) => {
      await press(keys);
      await soon(() => win.focused()).toMatch(/agents|history/);
      await press(close);
      await soon(() => page.count()).toBe(0);
    };
    await win.ready();
    for (const one of pages) {
      await openAndClose(one);
      await soon(() => win.focused()).toBe('line');
    }
    await win.start('cat -v');
    for (const one of pages) {
      await openAndClose(one);
      await soon(() => win.focused()).toBe('program');
      await press('Alt+b'); // without a focus it would reach no one
    }
    await press('Enter');
    await soon(() => win.liveRows()).toContain('^[b^[b^[b^[b');
    await press('Control+c');
    await win.ready();
  });

  describe('before they are loaded', () => {
    beforeEach(async () => {
      requests = [];
      const before = win;
      // A new context has no cache, whose files can be neither held nor refused. The route makes Chromium pass on each request from the start:
      // a script that loads right after the first `route` may be missed.
      win = await before.beside(served.browser, served.app.url, async (page) => {
        page.on('request', (request) => requests.push(request.url()));
        await page.route('**/assets/*', (route) => route.continue());
        await page.addInitScript(() => {
          window.requestIdleCallback = () => 0;
        });
      });
      await before.page.context().close();
      await win.ready();
    });

    test.each([PALETTE, SAVED, SETTINGS, AGENTS])('$part takes the keys while it loads', async (one) => {
      const release = await hold(one.part);
      await press(one.keys);
      await type('early');
      await soon(() => loading(one.title).isVisible()).toBe(true);
      await type('late');
      expect(await win.focused()).toBe('text');
      await press('Escape');
      await soon(() => win.dialog.count()).toBe(0);
      await soon(() => win.focused()).toBe('line');
      expect(await win.composer.inputValue()).toBe('');

      await press(one.keys);
      await soon(() => loading(one.title).count()).toBe(1);
      await type('again');
      await release();
      await soon(() => loading(one.title).count()).toBe(0);
      await soon(() => win.focused()).toBe(one === AGENTS ? 'agents' : 'text');
      for (let opening = 1; one !== AGENTS && opening <= 3; opening += 1) {
        if (opening > 1) await press(one.keys);
        await soon(() => sheet(one.title).count()).toBe(1);
        await press('Escape');
        await soon(() => win.focused()).toBe('line');
      }
      expect(await win.composer.inputValue()).toBe('');
      expect(requests.filter((url) => file(one.part).test(url))).toHaveLength(1);
    });

    test('Escape at the moment at which a sheet has loaded gives the keys back', async () => {
      const release = await hold(SAVED.part);
      await press(SAVED.keys);
      await soon(() => loading(SAVED.title).isVisible()).toBe(true);
      await win.page.evaluate(() => {
        const keys = { key: 'Escape', bubbles: true, cancelable: true };
        const added = new MutationObserver(() => {
          if (!document.querySelector('.sheet:not(.late)')) return;
          added.disconnect();
          document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', keys));
        });
        added.observe(document.body, { subtree: true, childList: true });
      });
      await release();
      await soon(() => requests.some((url) => file(SAVED.part).test(url))).toBe(true);
      await soon(() => win.dialog.count()).toBe(0);
      await soon(() => win.focused()).toBe('line');
    });

    test('a sheet that loads late does not cover the one that was opened last', async () => {
      const release = await hold(PALETTE.part);
      await press(PALETTE.keys);
      await press(SETTINGS.keys);
      await soon(() => sheet(SETTINGS.title).getByText(strings.settings.pages.keys).count()).toBe(1);
      await release();
      await soon(() => requests.some((url) => file(PALETTE.part).test(url))).toBe(true);
      expect(await sheet(PALETTE.title).count()).toBe(0);
      await press('Escape');
      await soon(() => win.dialog.count()).toBe(0);
      await soon(() => win.focused()).toBe('line');
    });

    test('styles that did not arrive stop no other sheet', async () => {
      await win.page.route(file(SETTINGS.part, 'css'), (route) => route.abort());
      await press(SETTINGS.keys);
      const notice = win.page.getByRole('status').getByText(`Could not load “${SETTINGS.title}”: `);
      await soon(() => notice.count()).toBe(1);
      await press(PALETTE.keys);
      await soon(() => win.page.getByPlaceholder(strings.search.palette.placeholder).count()).toBe(1);
      await press('Escape');
      await press(SETTINGS.keys);
      await soon(() => requests.filter((url) => file(SETTINGS.part, 'css').test(url)).length).toBe(3);
      await soon(() => win.dialog.count()).toBe(0); // its own style sheet failed again
      await win.page.unrouteAll();
    });

    test('a replay says that its player could not be loaded, and the next try works', async () => {
      const card = await win.run('echo here');
      await win.page.route(file('ReplayView'), (route) => route.abort());
      await win.choose(card, strings.replay.actions.card);
      await soon(() => win.dialog.getByRole('alert').textContent()).toMatch(
        `Could not load “${strings.replay.title}”: `,
      );
      await press('Escape');
      await soon(() => win.dialog.count()).toBe(0);
      await win.page.unrouteAll();
      await win.choose(card, strings.replay.actions.card);
      await soon(() => win.page.locator('.replay').count()).toBe(1);
      await press('Escape');
      await soon(() => win.dialog.count()).toBe(0);
    });

    test('keys do not reach a running program, and its own field has the focus once it is loaded', async () => {
      await win.start('cat');
      const release = await hold(PALETTE.part);
      await press(PALETTE.keys);
      await type('early');
      await release();
      await soon(() => win.page.evaluate(() => document.activeElement?.getAttribute('placeholder'))).toBe(
        strings.search.palette.placeholder,
      );
      await press('Escape');
      await soon(() => win.focused()).toBe('program');
      await type('seen\n');
      await soon(() => win.liveRows()).toEqual(['seen', 'seen']);
      await press('Control+c');
      await win.ready(); // a reload could come before the key
    });

    test('the focus returns to the card from which the sheet was opened', async () => {
      const card = await win.run('echo here');
      const isFocused = () => card.evaluate((element) => element.contains(document.activeElement));
      const release = await hold(PALETTE.part);
      const load = async () => {
        await release();
        await soon(() => loading(PALETTE.title).count()).toBe(0);
      };
      for (const before of [async () => undefined, load, async () => undefined]) {
        await win.select(card);
        await press(PALETTE.keys);
        await soon(() => sheet(PALETTE.title).count()).toBe(1);
        await before();
        expect(await win.focused()).toBe('text');
        await press('Escape');
        await soon(() => win.dialog.count()).toBe(0);
        await soon(isFocused).toBe(true);
        await press('Escape');
      }
    });

    test.each([
      [PALETTE, 'js'],
      [SETTINGS, 'css'],
      [AGENTS, 'js'],
    ] as const)('a notice says that $part could not be loaded, and the next try works', async (one, ext) => {
      const broken = file(one.part, ext);
      await win.page.route(broken, (route) => route.abort());
      await press(one.keys);
      await soon(() => win.page.getByRole('status').getByText(`Could not load “${one.title}”: `).count()).toBe(1);
      expect(await win.dialog.count()).toBe(0);
      await soon(() => win.focused()).toBe('line');
      await win.page.unroute(broken);
      await press(one.keys);
      await soon(() => win.focused()).toBe(one === AGENTS ? 'agents' : 'text');
      await soon(() => loading(one.title).count()).toBe(0);
      const css = () =>
        win.page
          .locator('link[rel=stylesheet]')
          .evaluateAll((links: HTMLLinkElement[]) => links.map(({ href, sheet: rules }) => (rules ? href : '')));
      if (ext === 'css') expect((await css()).filter((href) => broken.test(href))).toHaveLength(1);
    });
  });
});
