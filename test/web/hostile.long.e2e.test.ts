import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../support/sourceFiles.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const NAUGHTY: string[] = JSON.parse(readFileSync(join(ROOT, 'test/fixtures/security/blns.json'), 'utf8'));
const IMAGE = '<img src=x onerror=alert(1)>';
/** Elements that hostile text could create. The editor itself puts images without a source around its placeholder. */
const DANGEROUS =
  'img:not(.cm-widgetBuffer:not([src])), script, iframe, object, embed, a[href], form, base, meta[http-equiv=refresh], video, audio, marquee';

/** Threat 8: the window shows text from programs only as text. */
describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('hostile text in every field', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  const folder = mkdtempSync(join(tmpdir(), 'hansard-hostile-'));
  const place = join(folder, IMAGE);
  const happened: string[] = [];
  let win: TerminalWindow;
  let requests: string[] = [];
  /** Number of dangerous elements in the page's body. */
  const dangerous = () => win.page.locator('body').locator(DANGEROUS).count();

  beforeAll(async () => {
    mkdirSync(join(place, '.git'), { recursive: true });
    writeFileSync(join(place, '.git/HEAD'), `ref: refs/heads/${IMAGE.replaceAll(' ', '/')}\n`);
    writeFileSync(join(folder, 'blns.txt'), NAUGHTY.join('\n'));
    await app.start();
    const { page, context } = await browser.open('about:blank');
    page.on('dialog', (dialog) => {
      happened.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('pageerror', (error) => happened.push(`thrown: ${error.message}`));
    context.on('page', (opened) => happened.push(`opened: ${opened.url()}`));
    context.on('request', (request) => requests.push(request.url()));
    await page.addInitScript(() =>
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error(`policy: ${violatedDirective} ${blockedURI}`),
      ),
    );
    page.on('console', (message) => {
      if (message.text().startsWith('policy:')) happened.push(message.text());
    });
    await page.goto(app.url);
    win = new TerminalWindow(page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  test('every naughty string is shown as the text that it is', async () => {
    await win.run('true'); // everything that the page itself loads is loaded
    requests = [];
    const card = await win.run(`cat ${folder}/blns.txt`);
    await win.select(card);
    await win.page.keyboard.press('x');
    await soon(() => card.locator('.window').count()).toBe(1);
    await win.page.keyboard.press('/');
    const field = card.getByRole('textbox', { name: 'Filter lines' });
    await field.fill('<script|onerror|javascript:');
    const wanted = NAUGHTY.join('\n')
      .split('\n')
      .filter((line) => /<script|onerror|javascript:/i.test(line)).length;
    await soon(async () => Number((await card.locator('output').innerText()).match(/^\d+/)?.[0])).toBe(wanted);
    await soon(async () => (await win.lines(card)).length).toBe(wanted);
    expect(await dangerous()).toBe(0);
    await field.press('Escape');
    await soon(() => field.count()).toBe(0);
  });

  test('a command, a title, a folder and a branch that are markup stay words', async () => {
    await win.run(`echo '${IMAGE}'`);
    await soon(() => win.card(`echo '${IMAGE}'`).count()).toBe(1);
    await win.run(`cd '${place}'`);
    await soon(() => win.page.locator('#pane header').first().innerText()).toContain(IMAGE);
    await soon(() => win.page.locator('[data-keys="line"]').innerText()).toContain('onerror=alert(1)>\n<img/src');
    const card = await win.run(
      `printf '\\e]0;${IMAGE}\\a\\e]2;${IMAGE}\\a\\e]9;${IMAGE}\\a\\e]777;notify;${IMAGE};${IMAGE}\\a'`,
    );
    await soon(() => win.name(card)).toContain('exit 0');
    await win.tabs.first().hover();
    await soon(() => win.page.getByText(IMAGE, { exact: false }).count()).toBeGreaterThan(2);
    await soon(() => card.locator('.branch').innerText()).toContain('onerror');
    await win.start(`cat '${folder}/blns.txt' - '${IMAGE}'`);
    await soon(() => win.tabs.first().innerText()).toContain(IMAGE);
    await win.page.keyboard.press('Control+d');
    await win.ready();
    expect(await dangerous()).toBe(0);
  });

  test('the same text is harmless in the history, in completions, in questions and in a tab’s name', async () => {
    await win.page.keyboard.press('Control+r');
    await win.page.getByPlaceholder('Search commands of all terminals').fill('onerror');
    await soon(() => win.page.getByRole('option').count()).toBeGreaterThan(1);
    expect(await dangerous()).toBe(0);
    await win.page.keyboard.press('Escape');
    await win.ready();
    await win.run(`touch '<svg onload=alert(1)>'`);
    await win.composer.fill('cat \\<sv');
    await win.page.keyboard.press('End');
    await win.page.keyboard.press('Tab');
    await soon(() => win.composer.inputValue()).toContain('onload');
    await win.page.keyboard.press('Control+u');
    await win.page.keyboard.press('F2');
    await win.page.getByRole('textbox', { name: /Tab name/ }).fill(IMAGE);
    await win.page.keyboard.press('Enter');
    await win.start(`bash -c 'sleep 1000; true' '${IMAGE}'`);
    await win.page.keyboard.press('Control+Shift+W');
    await soon(() => win.dialog.innerText()).toContain(IMAGE);
    expect(await dangerous()).toBe(0);
    await win.dialog.getByRole('button', { name: 'Cancel' }).click();
    await win.page.keyboard.press('Control+c');
    await win.ready();
  });

  test('only http, https and mail addresses of OSC 8 are links', async () => {
    const link = (url: string) => `printf '\\e]8;;${url}\\e\\\\click me\\e]8;;\\e\\\\\\n'`;
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'file:///etc/passwd',
      'vbscript:x',
    ]) {
      const card = await win.run(link(url));
      await soon(() => win.lines(card)).toEqual(['click me']);
      await card.locator('.line').click({ modifiers: ['Control'], position: { x: 20, y: 8 } });
      expect(await card.locator('[data-link]').count()).toBe(0);
    }
    const card = await win.run(link('https://example.invalid/place'));
    await soon(() => card.locator('[data-link]').count()).toBe(1);
    await card.locator('[data-link]').click({ modifiers: ['Control'] });
    await soon(() => win.dialog.innerText()).toContain('https://example.invalid/place');
    await win.dialog.getByRole('button', { name: 'Cancel' }).click();
    await soon(() => win.dialog.count()).toBe(0);
  });

  test('nothing was asked for, opened, run or refused on the way', async () => {
    const own = new URL(app.url).origin;
    expect(requests.filter((url) => !url.startsWith(own) && !url.startsWith('data:'))).toEqual([]);
    expect(
      requests.filter((url) => /\.(js|css|woff2?)$/.test(new URL(url).pathname) === false && url.startsWith(own)),
    ).toEqual([]);
    expect(happened).toEqual([]);
    expect(await dangerous()).toBe(0);
  });
});
