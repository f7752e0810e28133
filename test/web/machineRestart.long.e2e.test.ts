import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { SSHD } from '../machines/rig/findProgram.ts';
import { SshClient } from '../machines/rig/SshClient.ts';
import { type BadLine, startProxy } from '../machines/rig/startProxy.ts';
import { type Sshd, startSshd } from '../machines/rig/startSshd.ts';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(SSHD === null || BROWSER === '' || !existsSync(BROWSER))('a restart of Hansard here', () => {
  const client = new SshClient();
  const core = new BackgroundCore({ ...(client.env as Record<string, string>), HANSARD_PTY_HOST: 'on' });
  const browser = new TestBrowser();
  let sshd: Sshd;
  let line: BadLine;
  let win: TerminalWindow;

  beforeAll(async () => {
    sshd = await startSshd({ client });
    sshd.installHansard();
    line = await startProxy({ port: sshd.port });
    client.point(sshd.name, line.port);
    win = new TerminalWindow((await browser.open(await core.start())).page);
  });

  afterAll(async () => {
    await browser.dispose();
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
    await win.act(strings.machines.actions.connect);
    await win.page.getByRole('option', { name: sshd.name }).click();
    await soon(() => win.tabs.count()).toBe(2);
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
});
