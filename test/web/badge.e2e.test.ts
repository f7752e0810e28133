import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../mcp/mcpClient.ts';
import { soon } from '../support/soon.ts';
import { BROWSER } from '../support/WebApp.ts';
import { ClientWindow } from './ClientWindow.ts';

const win = new ClientWindow();

beforeAll(async () => {
  if (BROWSER) await win.start();
});

afterAll(() => win.dispose());

/** How much of the page's icon is amber, from 0 to 1. */
const amber = () =>
  win.page.evaluate(async () => {
    const picture = new Image();
    picture.src = document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href ?? '';
    await picture.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [32, 32];
    const pen = canvas.getContext('2d');
    pen?.drawImage(picture, 0, 0, 32, 32);
    const { data } = pen?.getImageData(0, 0, 32, 32) ?? { data: new Uint8ClampedArray() };
    let found = 0;
    for (let at = 0; at < data.length; at += 4)
      if ((data[at] ?? 0) > 190 && (data[at + 1] ?? 0) > 130 && (data[at + 2] ?? 0) < 120) found += 1;
    return found / (32 * 32);
  });

test.skipIf(!BROWSER)(
  'the icon and the title of the page say how many wait, and no longer once they were answered',
  async () => {
    await win.page.evaluate(() => {
      Object.assign(globalThis, { badges: [] as number[] });
      const badges = Reflect.get(globalThis, 'badges') as number[];
      navigator.setAppBadge = async (count = 0) => void badges.push(count);
      navigator.clearAppBadge = async () => void badges.push(0);
    });
    expect(await amber()).toBe(0);
    const running = call(win.mcp.client, 'pty_exec', { pty_id: win.id, cmd: 'date', wait_ms: 50_000 });
    const asks = win.page.getByRole('region', { name: /asks to run/ });
    await asks.waitFor();
    await soon(amber).toBeGreaterThan(0.3);
    await soon(() => win.page.title()).toMatch(/^\(1\) /);
    await soon(async () => {
      const deny = asks.getByRole('button', { name: 'Deny', exact: true });
      if ((await deny.count()) > 0) await deny.click({ timeout: 1000 }).catch(() => undefined); // one that comes too soon is not taken
      return asks.count();
    }).toBe(0);
    await running;
    await soon(amber).toBe(0);
    await soon(() => win.page.title()).not.toMatch(/^\(/);
    expect(await win.page.evaluate(() => Reflect.get(globalThis, 'badges'))).toEqual([1, 0]);
  },
);
