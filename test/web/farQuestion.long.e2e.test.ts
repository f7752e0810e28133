import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { SETTLED_MS } from '../../src-renderer/ui/touch/settledClicks.ts';
import { DrawnFarAgent } from '../machines/rig/FarAgent.ts';
import { FarMachine } from '../machines/rig/FarMachine.ts';
import { SSHD } from '../machines/rig/findProgram.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, TestBrowser } from '../support/WebApp.ts';

const words = strings.machines;

describe.skipIf(SSHD === null || BROWSER === '' || !existsSync(BROWSER))('an open question of an agent there', () => {
  const browser = new TestBrowser();
  const agent = new DrawnFarAgent();
  let machine: FarMachine;
  let win: TerminalWindow;

  beforeAll(async () => {
    machine = await FarMachine.start();
    const project = join(machine.sshd.home, 'project');
    mkdirSync(project);
    await agent.start(machine, project);
    win = new TerminalWindow((await browser.open(machine.url)).page);
  }, 120_000);

  afterAll(async () => {
    await browser.dispose();
    await machine?.dispose();
  });

  const option = () => win.page.locator('[data-keys="agents"] [data-settles] button').filter({ hasText: /don't ask/ });
  const looked = async () => {
    await option().waitFor();
    await win.page.waitForTimeout(SETTLED_MS * 1.5);
  };
  /** The card on the board; the conversation beside it shows the same question. */
  const about = (part: number) =>
    win.page.getByRole('region', { name: strings.agents.question.label }).getByText(`npm test part-${part}`);

  test('is not answered while the line is down, and once when it is back', { timeout: 120_000 }, async () => {
    await soon(() => win.tabs.count()).toBe(1);
    await soon(() => win.live.last().innerText()).toContain('Ask Codex to do anything');
    await win.live.last().click();
    await win.page.keyboard.type('ask 3\n');
    await win.page.keyboard.press('Control+Shift+A');
    await looked();
    machine.line.goDown();
    await machine.is('lost');
    await option().click();
    await win.page
      .getByText(words.lost.notSent(words.lost.noConnection('box')))
      .first()
      .waitFor();
    expect(agent.done([]).seen).toBe('');
    machine.line.repair();
    await machine.is('connected');
    await looked();
    expect(agent.done([]).seen).toBe(''); // nothing was kept for later
    await option().click();
    await soon(() => agent.done(['a']).seen).toBe(agent.done(['a']).right);
    await about(1).waitFor();
  });

  test('is answered once if the line breaks just behind the answer', { timeout: 120_000 }, async () => {
    await looked();
    await option().click();
    machine.line.cut();
    await machine.hasLost(2);
    await machine.is('connected');
    await looked();
    const { seen } = agent.done([]);
    expect([agent.done(['a']).right, agent.done(['a', 'b']).right]).toContain(seen);
    if (seen === agent.done(['a']).right) await option().click();
    await soon(() => agent.done(['a', 'b']).seen).toBe(agent.done(['a', 'b']).right);
    await about(2).waitFor();
  });

  test('is answered after a restart of Hansard here', { timeout: 120_000 }, async () => {
    expect((await machine.core.run('serve', 'restart')).code).toBe(0);
    await about(2).waitFor({ timeout: 60_000 });
    await soon(async () => (await machine.core.run('hosts', '--json')).stdout).toMatch(/"state": *"connected"/);
    // The list is drawn again after the restart, and a press on what has just appeared does nothing: a person presses again.
    await soon(async () => {
      if ((await option().count()) > 0) await looked();
      await option()
        .click({ timeout: 1_000 })
        .catch(() => undefined); // it is answered
      return about(2).count();
    }).toBe(0);
    await soon(() => agent.done(['a', 'b', 'c']).seen).toBe(agent.done(['a', 'b', 'c']).right);
  });
});
