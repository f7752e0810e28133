import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

/** Whether a process of the machine has this command line. */
function isRunning(command: string): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `${command.replaceAll(' ', '\0')}\0`;
    } catch {
      return false; // it ended meanwhile
    }
  });
}

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('tabs', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let win: TerminalWindow;
  const press = (key: string) => win.page.keyboard.press(key);
  const names = () => win.tabs.locator('.label').allInnerTexts();

  beforeAll(async () => {
    await app.start();
    win = new TerminalWindow((await browser.open(app.url)).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  async function rename(name: string): Promise<void> {
    await press('F2');
    await win.page.getByRole('textbox', { name: /Tab name/ }).fill(name);
    await press('Enter');
    await soon(names).toContain(name);
  }

  test('three tabs keep their own cards and names', async () => {
    await win.run('echo in the first');
    await rename('Anchor');
    await win.openTab();
    await win.run('echo in the second');
    await rename('Buoy');
    await win.openTab();
    await win.run('echo in the third');
    await rename('Crane');
    expect(await names()).toEqual(['Anchor', 'Buoy', 'Crane']);
    for (const [key, words] of [
      ['Control+1', 'first'],
      ['Control+3', 'third'],
      ['Control+2', 'second'],
    ] as const) {
      await press(key);
      await soon(async () => (await win.cards.allInnerTexts()).join()).toContain(`in the ${words}`);
      expect(await win.cards.count()).toBe(1);
    }
  });

  test('a command that begins leaves the name that is being typed', async () => {
    await press('Control+1');
    await soon(() => win.page.title()).toContain('Anchor');
    await press('F2');
    const field = win.page.getByRole('textbox', { name: /Tab name/ });
    await field.fill(''); // the tab is called by its command again
    await press('Enter');
    await soon(names).toContain('echo in the first');
    await win.start('sleep 2');
    await win.page.keyboard.type('echo ahead\n');
    await press('F2');
    await field.fill('Anchor');
    await win.card('echo ahead').waitFor();
    expect(await field.inputValue()).toBe('Anchor');
    await press('Enter');
    await soon(names).toContain('Anchor');
    await press('Control+2');
  });

  test('a tab is moved by key and by pointer', async () => {
    await press('Control+3');
    await soon(() => win.tabs.nth(2).getAttribute('aria-selected')).toBe('true');
    await press('Alt+Shift+ArrowUp');
    await soon(names).toEqual(['Anchor', 'Crane', 'Buoy']);
    const [from, to] = [await win.tabs.nth(2).boundingBox(), await win.tabs.nth(0).boundingBox()];
    if (!from || !to) throw new Error('the tabs are not drawn');
    await win.page.mouse.move(from.x + 60, from.y + 20);
    await win.page.mouse.down();
    await win.page.mouse.move(from.x + 60, from.y - 10, { steps: 4 });
    await win.page.mouse.move(to.x + 60, to.y + 4, { steps: 8 });
    await win.page.mouse.up();
    await soon(names).toEqual(['Buoy', 'Anchor', 'Crane']);
  });

  test('a tab that was shown before is never blank, and has what was printed meanwhile', async () => {
    const go = join(app.home, 'go');
    const shown = (name: string) =>
      soon(() => win.tabs.filter({ hasText: name }).getAttribute('aria-selected')).toBe('true');
    await press('Control+1');
    await shown('Buoy');
    await win.card('echo in the second').waitFor();
    await win.start(`until [ -e ${go} ]; do sleep 0.1; done; seq 20 29`);
    await press('Control+2');
    await shown('Anchor');
    await win.card('echo in the first').locator('.line').waitFor();
    writeFileSync(go, '');
    await soon(() => win.tabs.first().getAttribute('aria-label')).toContain('Idle');
    await win.page.evaluate(() => {
      const blanks = { frames: 0, blank: 0, isOver: false };
      Object.assign(window, { blanks });
      const isSeen = (line: Element) => line.getBoundingClientRect().height > 0 && line.textContent !== '';
      const look = () => {
        blanks.frames += 1;
        if (![...document.querySelectorAll('[data-pane-of] .line')].some(isSeen)) blanks.blank += 1;
        if (!blanks.isOver) requestAnimationFrame(look);
      };
      look();
    });
    for (const [key, name] of [
      ['Control+1', 'Buoy'],
      ['Control+2', 'Anchor'],
      ['Control+1', 'Buoy'],
    ] as const) {
      await press(key);
      await shown(name);
      await win.ready();
    }
    await soon(() => win.lines(win.card('until'))).toEqual(Array.from({ length: 10 }, (_, at) => `${20 + at}`));
    const { frames, blank } = await win.page.evaluate(() =>
      Object.assign(Reflect.get(window, 'blanks'), { isOver: true }),
    );
    expect(frames).toBeGreaterThan(3);
    expect(blank).toBe(0);
  });

  test('a command in a tab behind is told by the tab’s own words', async () => {
    await press('Control+1');
    await win.start('cat');
    await press('Control+2');
    await win.ready();
    await soon(() => win.tabs.nth(0).getAttribute('aria-label')).toContain('cat is running');
    await press('Control+1');
    await soon(() => win.focused()).toBe('program');
    await press('Control+d');
    await win.ready();
    await soon(() => win.tabs.nth(0).getAttribute('aria-label')).toContain('Idle');
  });

  test('an ended shell stays with its record, and a new one starts in its place', async () => {
    await press('Control+3');
    await soon(() => win.tabs.nth(2).getAttribute('aria-selected')).toBe('true');
    await win.submit('exit 4');
    const ended = win.page.getByRole('region', { name: 'Shell exited' });
    await soon(() => ended.innerText()).toMatch(/Shell exited with code 4\. Its history is kept\./);
    await soon(() => win.card('echo in the third').count()).toBe(1);
    await soon(() => win.tabs.nth(2).getAttribute('aria-label')).toContain('Shell exited with code 4');
    await ended.getByRole('button', { name: /Restart bash/ }).click();
    await win.ready();
    const card = await win.run('echo in the new shell');
    await soon(() => win.lines(card)).toEqual(['in the new shell']);
    await soon(() => win.card('echo in the third').count()).toBe(1);
  });

  test('closing names everything that still runs', async () => {
    await press('Control+2');
    await soon(() => win.tabs.nth(1).getAttribute('aria-selected')).toBe('true');
    await win.ready();
    await win.run('sleep 4321 &');
    await win.start('sleep 1234');
    await soon(() => isRunning('sleep 1234')).toBe(true); // its card is there before its process
    await press('Control+Shift+W');
    await soon(() => win.dialog.innerText()).toMatch(/Closing the tab ends them:\s*sleep 4321\s+sleep 1234/);
    await win.dialog.getByRole('button', { name: 'Cancel' }).click();
    await soon(() => win.dialog.count()).toBe(0);
    await soon(() => win.focused()).toBe('program');
    await press('Control+c');
    await win.ready();
    expect(await win.tabs.count()).toBe(3);
  });

  test('a restart of the core finds the tabs, their order, names and cards', async () => {
    const before = await names();
    await app.stop();
    await app.start();
    win = new TerminalWindow((await browser.open(app.url)).page);
    await soon(names).toEqual(before);
    await soon(() => win.tabs.nth(1).getAttribute('aria-selected')).toBe('true');
    await press('Control+1');
    await soon(() => win.card('echo in the second').count()).toBe(1);
    const card = await win.run('echo and on it goes');
    await soon(() => win.lines(card)).toEqual(['and on it goes']);
  });

  test('the shell’s own prompt in place of the composer, by setting', async () => {
    await win.act('Switch between composer and shell prompt');
    await soon(() => win.composer.count()).toBe(0);
    await soon(() => win.focused()).toBe('program');
    await soon(async () => (await win.liveRows()).at(-1)).toMatch(/[#$]$/);
    await win.page.keyboard.type('echo typed at the prompt\n');
    const card = win.card('echo typed at the prompt');
    await soon(() => win.lines(card)).toEqual(['typed at the prompt']);
    await soon(() => win.name(card)).toContain('exit 0');
    await soon(() => win.focused()).toBe('program');
    await win.act('Switch between composer and shell prompt');
    await win.ready();
  });
});
