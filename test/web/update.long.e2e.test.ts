import { existsSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { Installation } from '../support/Installation.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, TestBrowser } from '../support/WebApp.ts';

/** Two looks at the installation, ten seconds apart. */
const NOTICED_MS = 30_000;

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('an update while Hansard runs', { timeout: 120_000 }, () => {
  const installed = new Installation();
  const core = new BackgroundCore({ HANSARD_PTY_HOST: 'on' });
  const browser = new TestBrowser();
  let win: TerminalWindow;

  beforeAll(async () => {
    const { stdout } = await core.runBy(installed.cli, 'serve', 'start');
    win = new TerminalWindow((await browser.open(stdout.trim())).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await core.run('serve', 'stop', '--force');
    await core.dispose();
    installed[Symbol.dispose]();
  });

  const status = async () => (await core.runBy(installed.cli, 'serve', 'status')).stdout;
  const restart = () => win.page.getByRole('button', { name: strings.app.restart });
  const reload = () => win.page.getByRole('button', { name: strings.app.reload });
  const noticed = (version: string) => win.page.getByText(`Hansard ${version} was installed while this one runs.`);

  test('says so in the window and on the command line, and what runs stays usable', async () => {
    const card = await win.start("printf 'first\\n'; read line; printf 'read %s\\n' \"$line\"");
    installed.update('0.2.0');
    expect(await status()).toContain('not the installed build: `hansard serve restart` starts that');
    const joined = await core.runBy(installed.cli, 'serve', '--no-open');
    expect(joined.stderr).toContain('`hansard serve restart` starts this one.');
    const started = await core.runBy(installed.cli, 'serve', 'start');
    expect(started.stderr).toContain('`hansard serve restart` starts this one.');
    await noticed('0.2.0').waitFor({ timeout: NOTICED_MS });
    await win.page.keyboard.type('one');
    await soon(() => win.liveRows()).toEqual(['first', 'one']);
    await restart().click();
    await noticed('0.2.0').waitFor({ state: 'hidden', timeout: NOTICED_MS });
    await soon(() => status()).toMatch(/version +0\.2\.0\n/);
    await soon(() => win.liveRows()).toEqual(['first', 'one']);
    await soon(() => win.focused()).toBe('program');
    await win.page.keyboard.type(' two\n');
    await win.ready();
    await soon(() => win.lines(card)).toEqual(['first', 'one two', 'read one two']);
    expect(await reload().count()).toBe(0); // the page is of the new build already
  });

  test('that was started on the command line makes the page offer to load itself again', async () => {
    installed.update('0.3.0');
    await noticed('0.3.0').waitFor({ timeout: NOTICED_MS });
    await core.runBy(installed.cli, 'serve', 'restart');
    await reload().waitFor({ timeout: 15_000 });
    expect(await noticed('0.3.0').count()).toBe(0); // that was true of the earlier core
    await reload().click();
    await reload().waitFor({ state: 'hidden' });
    await win.run('echo again');
    expect(await status()).toMatch(/version +0\.3\.0\n/);
  });

  test('that cannot start is named, and the running one continues', async () => {
    const { pid } = core;
    installed.update('0.4.0');
    await noticed('0.4.0').waitFor({ timeout: NOTICED_MS });
    rmSync(installed.cli);
    await restart().click();
    await win.page.getByText('Hansard could not be restarted (exit code 1). It continues as before.').waitFor();
    expect(core.pid).toBe(pid);
    await win.run('echo still here');
  });

  test('offers no restart while the connection is lost, because the next core would get the call', async () => {
    expect(await restart().count()).toBe(1);
    await core.killCore();
    await win.page.getByText(strings.app.connectionLost).waitFor();
    expect(await noticed('0.4.0').count()).toBe(1);
    expect(await restart().count()).toBe(0);
  });
});
