/**
 * Runs the built window in a real Chromium, on the built desktop app: the app's own protocol handler serves its files and headers, and
 * its calls reach the app's own guard and router through the bridge. Only Electron is fake. `BROWSER` is the path of Chromium,
 * `SCREENSHOT` a file for a picture. Prints the texts of the window.
 */
import { chromium, type Page } from 'playwright-core';
import { app, type BrowserWindow, ended, ipcMain, record } from './electron.ts';
import { eventFrom } from './openBridge.ts';

/** For Chromium, this origin is secure and separate, like `app://bundle`. */
const ORIGIN = 'http://bundle.localhost';

await import(new URL('../../../out/main/electron.js', import.meta.url).href);
while (!record.windows.some(({ isShown }) => isShown)) await new Promise((resolve) => setTimeout(resolve, 20));
const window = record.windows[0] as BrowserWindow;

const browser = await chromium.launch({
  executablePath: process.env.BROWSER ?? '',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
const complaints: string[] = [];
page.on('pageerror', (error) => complaints.push(String(error)));
page.on('console', (message) => {
  if (message.type() === 'error') complaints.push(message.text());
});
await connect(page, window);
await page.goto(`${ORIGIN}/index.html`);

const first = await run(page, 'echo hi from the window');
window.webContents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false, frame: null });
await page.reload();
const second = await run(page, 'printf "%s\\n" again');
if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT });
await browser.close();
app.quit();
const exitCode = await ended.promise;
process.stdout.write(`${JSON.stringify({ first, second, complaints, exitCode })}\n`, () => process.exit(0));

/** Gives `shown` the files and the bridge of an Electron window. */
async function connect(shown: Page, { webContents }: BrowserWindow): Promise<void> {
  await shown.route(`${ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const answer = await record.handlers.get('app')?.(
      new Request(`app://bundle${pathname}`, { method: route.request().method() }),
    );
    if (!answer) return route.abort();
    return route.fulfill({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: Buffer.from(await answer.arrayBuffer()),
    });
  });
  const reply = (_channel: string, message: unknown): void => {
    void shown
      .evaluate((text) => Reflect.get(globalThis, 'deliver')(JSON.parse(text)), JSON.stringify(message))
      .catch(() => undefined); // fails while the page reloads
  };
  await shown.exposeFunction('hansardSend', (text: string) => {
    ipcMain.emit('trpc-electron', eventFrom(webContents, webContents.mainFrame, reply), JSON.parse(text));
  });
  await shown.addInitScript(() => {
    const listeners: ((message: unknown) => void)[] = [];
    const send = Reflect.get(globalThis, 'hansardSend') as (text: string) => Promise<void>;
    Object.assign(globalThis, {
      deliver: (message: unknown) => listeners.forEach((listen) => void listen(message)),
      electronTRPC: {
        // A clone, as between processes: a value that cannot be cloned must fail here too.
        sendMessage: (message: unknown) => void send(JSON.stringify(structuredClone(message))),
        onMessage: (listen: (message: unknown) => void) => void listeners.push(listen),
      },
    });
  });
}

/** Submits a line in the composer; resolves with the texts of all cards when its own has ended. */
async function run(shown: Page, command: string): Promise<string[]> {
  const cards = shown.getByRole('listitem').filter({ has: shown.getByRole('heading') });
  const own = cards.filter({ has: shown.getByRole('heading', { name: command }) });
  await shown.locator('[data-keys="line"] .cm-content').fill(command);
  await shown.keyboard.press('Enter');
  await own.waitFor();
  while (/\brunning\b/.test((await own.getAttribute('class')) ?? '')) await shown.waitForTimeout(20);
  return cards.allInnerTexts();
}
