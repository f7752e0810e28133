import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { SSHD } from '../machines/rig/findProgram.ts';
import { SshClient } from '../machines/rig/SshClient.ts';
import { type BadLine, startProxy } from '../machines/rig/startProxy.ts';
import { type Sshd, startSshd } from '../machines/rig/startSshd.ts';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { CutLine } from '../support/CutLine.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(SSHD === null || BROWSER === '' || !existsSync(BROWSER))('a restart of Hansard here', () => {
  const client = new SshClient();
  const core = new BackgroundCore({ ...(client.env as Record<string, string>), HANSARD_PTY_HOST: 'on' });
  const browser = new TestBrowser();
  let sshd: Sshd;
  /** The machine's line, and the page's own one. */
  let line: BadLine;
  const own = new CutLine();
  let win: TerminalWindow;

  beforeAll(async () => {
    sshd = await startSshd({ client });
    sshd.installHansard();
    line = await startProxy({ port: sshd.port });
    client.point(sshd.name, line.port);
    const url = await core.start();
    await own.to(url);
    win = new TerminalWindow((await browser.open(own.url(url))).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await own.dispose();
    await core.run('serve', 'stop', '--force');
    await core.dispose();
    await line.dispose();
    await sshd.dispose();
    client.dispose();
  });

  const isConnected = async () => /"state": *"connected"/.test((await core.run('hosts', '--json')).stdout);

  test('goes on with the program of another machine in the same card, which gets the next keys once', {
    timeout: 180_000,
  }, async () => {
    await win.ready();
    const alerts = await win.page.evaluateHandle(() => {
      const seen: string[] = [];
      const look = () => {
        for (const alert of document.querySelectorAll('[role=alert]')) seen.push(alert.textContent ?? '');
      };
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
      return seen;
    });
    await win.act(strings.machines.actions.connect);
    await win.page.getByRole('option', { name: sshd.name }).click();
    await soon(() => win.tabs.count()).toBe(2);
    expect(await alerts.jsonValue()).toEqual([]); // the steps never look like a failure
    await win.ready();
    const card = await win.start(
      "printf 'asks\\n'; read -r line; printf 'got %s\\n' \"$line\"; read -r more; printf 'and %s\\n' \"$more\"",
    );
    await win.page.keyboard.type('one\n');
    await soon(() => win.liveRows()).toContain('got one');
    const { pid } = core;
    expect((await core.run('serve', 'restart')).code).toBe(0);
    expect(core.pid).not.toBe(pid);
    await soon(isConnected).toBe(true);
    await soon(() => win.tabs.count()).toBe(2);
    await soon(() => win.liveRows()).toContain('got one');
    await soon(() => win.focused()).toBe('program');
    await win.page.keyboard.type('two\n');
    await win.ready();
    await soon(() => win.lines(card)).toEqual(['asks', 'one', 'got one', 'two', 'and two']);
    await core.killCore();
    await core.start();
    await soon(isConnected).toBe(true);
    const next = await win.run('echo after a kill');
    await soon(() => win.lines(next)).toEqual(['after a kill']);
  });

  test('refuses keys behind those whose arrival is not known, until the person knows it', {
    timeout: 180_000,
  }, async () => {
    const typed = (): string => readFileSync(join(sshd.home, 'typed'), 'utf8');
    await win.start('stty -icanon -echo; cat > typed');
    await win.page.keyboard.type('a');
    await soon(typed).toBe('a');
    process.kill(core.pid, 'SIGSTOP');
    await win.page.keyboard.type('bc');
    own.cut();
    await core.killCore();
    await win.page.getByText(strings.app.connectionLost).waitFor();
    await win.page.keyboard.type('de');
    await core.start();
    await soon(isConnected).toBe(true);
    own.repair();
    await win.page.getByText('whether the last keys arrived is not known').waitFor();
    await win.page.keyboard.type('f');
    await soon(typed).toBe('af');
    await win.page.keyboard.press('Control+c');
    await win.ready();
    await win.run('stty sane');
  });

  test('refuses keys that the window held behind those whose arrival is not known', { timeout: 180_000 }, async () => {
    const typed = (): string => {
      const path = join(sshd.home, 'held');
      return existsSync(path) ? readFileSync(path, 'utf8') : '';
    };
    const sent = new Set<number>();
    await win.page.routeWebSocket(/trpc/, (page) => {
      const server = page.connectToServer();
      page.onMessage((message) => {
        const [{ id }] = [JSON.parse(`${message}`)].flat() as [{ id: number }];
        if (sent.size === 0 && `${message}`.includes('"terminal.write"')) sent.add(id);
        server.send(message);
      });
      server.onMessage((message) => {
        const isAnswer = [...sent].some((id) => `${message}`.includes(`"id":${id},`));
        if (!isAnswer) page.send(message);
      });
    });
    await win.page.reload();
    await soon(() => win.tabs.count()).toBe(2);
    await win.tabs.nth(1).click();
    await win.composer.fill('stty -icanon -echo; cat > held');
    await win.page.keyboard.press('Enter');
    await win.page.keyboard.type('a'); // the window holds it until the program has begun
    await soon(typed).toBe('a');
    await win.page.keyboard.type('bc'); // held behind it, because it has no answer
    own.cut();
    await core.killCore();
    await core.start();
    await soon(isConnected).toBe(true);
    own.repair();
    await win.page.getByText('whether the last keys arrived is not known').waitFor();
    await win.page.keyboard.type('f');
    await soon(typed).toBe('af');
    await win.page.keyboard.press('Control+c');
    await win.ready();
    await win.run('stty sane');
  });

  test('types the first key of a page once if its own line breaks before the key arrives', {
    timeout: 180_000,
  }, async () => {
    const lost: string[] = [];
    await win.page.routeWebSocket(/trpc/, (page) => {
      const server = page.connectToServer();
      page.onMessage((message) => {
        if (lost.length > 0 || !`${message}`.includes('"terminal.write"')) return server.send(message);
        lost.push(`${message}`);
        void server.close().then(() => page.close());
      });
    });
    await win.page.reload();
    await soon(() => win.tabs.count()).toBe(2);
    await win.tabs.nth(1).click();
    await win.start('stty -icanon -echo; cat > typed');
    await win.page.keyboard.type('ab');
    await soon(() => readFileSync(join(sshd.home, 'typed'), 'utf8')).toBe('ab');
    expect(lost).toEqual([expect.stringContaining('"number":0')]);
    await win.page.keyboard.press('Control+c');
    await win.ready();
    await win.run('stty sane');
  });

  test('gives a page that is loaded meanwhile the panes of another machine back', { timeout: 180_000 }, async () => {
    const panes = () => win.page.locator('[data-pane-of]');
    await win.tabs.nth(1).click();
    await win.ready();
    await win.act(strings.panes.actions.splitDown);
    await soon(() => panes().count()).toBe(2);
    await win.tabs.nth(1).click();
    const places = () =>
      panes().evaluateAll((all: HTMLElement[]) => all.map(({ dataset, style }) => `${dataset.paneOf} ${style.top}`));
    const before = await places();
    line.goDown();
    expect((await core.run('serve', 'restart')).code).toBe(0);
    await win.page.reload();
    await soon(() => panes().count()).toBe(1);
    await win.ready();
    line.repair();
    await soon(() => win.tabs.count()).toBe(3);
    await win.tabs.nth(1).click();
    await soon(places).toEqual(before);
  });

  test('returns to the tab of another machine once it is connected, and not under the hands of the person', {
    timeout: 180_000,
  }, async () => {
    const shown = () => win.page.locator('[data-tab]:has([aria-selected=true])').getAttribute('data-tab');
    const focusedLine = () => win.page.locator('[data-keys=line]:focus-within .cm-content').innerText();
    await win.tabs.last().click();
    const remote = (await shown()) ?? '';
    expect(remote).toMatch(/^on-/);
    for (const isTouched of [false, true]) {
      line.goDown();
      expect((await core.run('serve', 'restart')).code).toBe(0);
      await win.page.reload();
      await soon(shown).not.toMatch(/^on-/);
      if (isTouched) await win.page.keyboard.type('echo here');
      line.repair();
      await soon(() => win.page.locator(`[data-tab="${remote}"]`).count()).toBe(1);
      if (isTouched) await soon(() => focusedLine()).toBe('echo here');
      else await soon(shown).toBe(remote);
    }
    expect(await shown()).not.toMatch(/^on-/);
    await win.page.keyboard.press('Control+u');
  });

  test('opens nothing in a window of its tabs alone that is loaded meanwhile', { timeout: 180_000 }, async () => {
    const ids = () =>
      other.page.locator('[data-tab]').evaluateAll((all: HTMLElement[]) => all.map(({ dataset }) => dataset.tab ?? ''));
    const coming = win.page.context().waitForEvent('page');
    await win.tabs.last().click();
    await win.act(strings.tabs.actions.toNewWindow);
    const other = new TerminalWindow(await coming);
    await soon(() => other.tabs.count()).toBe(1);
    const moved = await ids();
    const opened = (await core.run('ls', '--json')).stdout.match(/"id":/g)?.length;
    line.goDown();
    expect((await core.run('serve', 'restart')).code).toBe(0);
    await other.page.reload();
    await other.page.getByRole('button', { name: strings.machines.retryNamed(sshd.name) }).waitFor();
    line.repair();
    await soon(ids).toEqual(moved);
    expect((await core.run('ls', '--json')).stdout.match(/"id":/g)?.length).toBe(opened);
  });
});
