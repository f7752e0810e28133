import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Settings } from '../../src-main/contract/settings.ts';
import { connectTo } from '../support/coreClient.ts';
import { installDrawnAgent } from '../support/installDrawnAgent.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

interface Shown {
  title: string;
  body: string;
  click(): void;
}

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('what happens in a terminal that nobody looks at', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-news-'));
  const app = new ServedApp();
  const browser = new TestBrowser();
  let win: TerminalWindow;
  let goes = 0;
  /** How often the core has answered that it knows where the person looks. */
  let looks = 0;

  beforeAll(async () => {
    await app.start();
    const { page } = await browser.open('about:blank');
    // A browser that allows notifications, and a person who looks at another program once `isAway` is true.
    await page.addInitScript(() => {
      const shown: Shown[] = [];
      function Stand(this: { onclick?: () => void }, title: string, { body = '' } = {}) {
        shown.push({ title, body, click: () => this.onclick?.() });
      }
      Object.assign(window, { shown, isAway: false, Notification: Object.assign(Stand, { permission: 'granted' }) });
      document.hasFocus = () => !Reflect.get(window, 'isAway');
    });
    const asked = new Set<number>();
    page.on('websocket', (socket) => {
      const messages = (payload: string | Buffer) => [JSON.parse(String(payload))].flat() as { id: number }[];
      socket.on('framesent', ({ payload }) => {
        if (String(payload).includes('system.looksAt')) for (const { id } of messages(payload)) asked.add(id);
      });
      socket.on('framereceived', ({ payload }) => {
        if (/^[[{]/.test(String(payload))) looks += messages(payload).filter(({ id }) => asked.delete(id)).length;
      });
    });
    await page.goto(app.url);
    win = new TerminalWindow(page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  async function settings(change: Partial<Settings>): Promise<void> {
    const core = connectTo(app.home);
    await core.api.settings.set.mutate(change).finally(() => core.dispose());
  }

  /** Starts a command that waits for the returned function, which is called once the person has gone. */
  async function startWaiting(then: string): Promise<() => void> {
    goes += 1;
    const go = join(folder, `go${goes}`);
    await win.start(`until [ -e ${go} ]; do sleep 0.1; done; ${then}`);
    return () => writeFileSync(go, '');
  }

  const away = async (isAway: boolean): Promise<void> => {
    const before = looks;
    await win.page.evaluate((is) => {
      Object.assign(window, { isAway: is });
      window.dispatchEvent(new Event(is ? 'blur' : 'focus'));
    }, isAway);
    await soon(() => looks).toBeGreaterThan(before);
  };
  const bySystem = () =>
    win.page.evaluate(() => (Reflect.get(window, 'shown') as Shown[]).map(({ title, body }) => ({ title, body })));
  const unread = (count: number) =>
    win.page.getByRole('button', {
      name: count === 0 ? 'Notifications' : `Notifications, ${count} unread`,
      exact: true,
    });

  test('a long command that ends is told by the system, and a click on it leads to its card', async () => {
    await settings({ 'notify.longCommandMs': 1 });
    await win.ready();
    const go = await startWaiting('(exit 3)');
    await away(true);
    go();
    const told = { title: expect.stringContaining('until'), body: expect.stringMatching(/^failed .*exit 3/) };
    await soon(bySystem).toEqual([told]);
    await unread(1).waitFor();
    await away(false);
    await unread(0).waitFor();
    await win.ready();
    await win.page.keyboard.press('Control+Shift+T');
    await soon(() => win.tabs.count()).toBe(2);
    await win.ready();
    await win.page.evaluate(() => (Reflect.get(window, 'shown') as Shown[])[0]?.click());
    await soon(() => win.tabs.first().getAttribute('aria-selected')).toBe('true');
    await soon(() => win.card('until').evaluate((card) => card === document.activeElement)).toBe(true);
    await win.page.keyboard.press('Escape');
  });

  test.each([
    { osc: '9', prints: String.raw`printf '\033]9;tide is low\007'`, title: 'tide is low', body: '' },
    { osc: '99', prints: String.raw`printf '\033]99;;wind is up\033\\'`, title: 'wind is up', body: '' },
    { osc: '777', prints: String.raw`printf '\033]777;notify;Harbour;is full\007'`, title: 'Harbour', body: 'is full' },
  ])('the text of OSC $osc is told by the system and in the list', async ({ prints, title, body }) => {
    await win.ready();
    const before = (await bySystem()).length;
    const go = await startWaiting(prints);
    await away(true);
    go();
    await soon(async () => (await bySystem()).slice(before)).toContainEqual({ title, body });
    await away(false);
    await win.page.getByRole('button', { name: /^Notifications/ }).click();
    await soon(() => win.dialog.innerText()).toContain(body || title);
    await win.page.keyboard.press('Escape');
    await soon(() => win.dialog.count()).toBe(0);
  });

  test('an agent that ends its turn is told by the system unless that is turned off', async () => {
    const log = join(folder, 'agent');
    const go = `${log}.go`;
    const codex = installDrawnAgent(folder);
    const turn = async (): Promise<void> => {
      await win.page.keyboard.type(`edit ${join(folder, 'tide')} low`);
      await win.page.keyboard.press('Enter');
      await soon(() => win.tabs.first().locator('.where').innerText()).toMatch(/^working/);
      await away(true);
      writeFileSync(go, '');
      await soon(() => win.tabs.first().locator('.where').innerText()).not.toMatch(/^working/);
    };
    await win.ready();
    await win.start(`${codex} ${log}`);
    await soon(() => win.live.innerText()).toContain('Ask Codex to do anything');
    const before = (await bySystem()).length;
    await turn();
    const told = { title: 'Codex', body: 'finished its turn' };
    await soon(async () => (await bySystem()).slice(before)).toEqual([told]);
    await unread(1).waitFor();
    await away(false);
    await win.page.keyboard.press('Control+2');
    await soon(() => win.tabs.nth(1).getAttribute('aria-selected')).toBe('true');
    await win.page.evaluate(() => (Reflect.get(window, 'shown') as Shown[]).at(-1)?.click());
    await soon(() => win.tabs.first().getAttribute('aria-selected')).toBe('true');
    await soon(() => win.focused()).toBe('program');
    rmSync(go, { force: true });
    await settings({ 'notify.agentDone': false });
    await turn();
    await settings({ 'notify.agentDone': true });
    rmSync(go, { force: true });
    await away(false);
    await soon(() => win.focused()).toBe('program');
    await turn(); // only this one is told
    await soon(async () => (await bySystem()).slice(before)).toEqual([told, told]);
    await away(false);
    await win.page.keyboard.press('Control+d');
    await win.ready();
  });

  test('a kind that is turned off is told nowhere', async () => {
    await settings({ 'notify.commands': false, 'notify.programs': false });
    await win.ready();
    const before = (await bySystem()).length;
    const off = await startWaiting(String.raw`printf '\033]9;unheard\007'`);
    await away(true);
    off();
    await soon(() => win.card('until').getAttribute('class')).toContain('ok');
    await settings({ 'notify.programs': true });
    await win.run(String.raw`printf '\033]9;heard\007'`);
    await soon(async () => (await bySystem()).slice(before)).toEqual([{ title: 'heard', body: '' }]);
    await away(false);
  });
});
