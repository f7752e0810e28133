import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { withoutMachine } from '../../src-main/shared/machineIds.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { strings } from '../../src-renderer/app/strings.ts';
import { FarMachine } from '../machines/rig/FarMachine.ts';
import { SSHD } from '../machines/rig/findProgram.ts';
import { hostPid } from '../support/hostProcess.ts';
import { SmallDisk } from '../support/SmallDisk.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, TestBrowser } from '../support/WebApp.ts';

const FULL = 'A terminal is not being recorded: ';
const LINES = 20_000;
/** A person is to see it at once. */
const AT_ONCE_MS = 2_000;

describe.skipIf(SSHD === null || BROWSER === '' || !existsSync(BROWSER))('a full disk of another machine', () => {
  const browser = new TestBrowser();
  let machine: FarMachine;
  let disk: SmallDisk;
  let win: TerminalWindow;
  let id: string;

  beforeAll(async () => {
    machine = await FarMachine.start({
      prepare: ({ dataFolder }) => {
        mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
        disk = new SmallDisk(6 * 1024 * 1024, dataFolder);
      },
    });
    id = await machine.open();
    win = new TerminalWindow((await browser.open(machine.url)).page);
  }, 120_000);

  afterAll(async () => {
    await browser.dispose();
    await machine?.far.system.end.mutate({ keepsShells: false }).catch(() => undefined); // it uses the disk
    await vi.waitFor(() => expect(hostPid(machine.dataFolder)).toBe(null), 20_000);
    disk?.dispose();
    await machine?.dispose();
  });

  const bar = () => win.page.getByRole('alert').filter({ hasText: `box: ${FULL}` });
  const inHeader = () => win.page.getByRole('alert').filter({ hasText: strings.tabs.notRecorded });

  test('is said at once in the window, also over a tab of this machine, and the terminal works on', async ({
    skip,
  }) => {
    if (!disk.isMounted) skip('no tmpfs can be mounted here');
    await win.ready();
    await win.run('echo before');
    disk.fill();
    await win.run(`seq ${LINES}`);
    await bar().waitFor({ timeout: AT_ONCE_MS });
    await inHeader().waitFor({ timeout: AT_ONCE_MS });
    await win.run('echo alive > /tmp/$$; cat /tmp/$$; rm /tmp/$$');
    const here = await machine.api.terminal.open.mutate({ cols: 80, rows: 24 });
    await win.page.locator(`[data-tab="${here.id}"]`).click();
    await soon(() => inHeader().count()).toBe(0);
    await bar().waitFor();
    const later = await win.beside(browser, machine.url);
    await later.page
      .getByRole('alert')
      .filter({ hasText: `box: ${FULL}` })
      .waitFor();
    await later.page.close();
    machine.line.cut(); // what is said then is the same after the line is back
    await machine.hasLost(1);
    await machine.is('connected');
    await soon(() => bar().count()).toBe(1);
  });

  test('is withdrawn when there is room, and the record has what was printed meanwhile', async ({ skip }) => {
    if (!disk.isMounted) skip('no tmpfs can be mounted here');
    disk.free();
    await soon(() => bar().count()).toBe(0);
    const { raw, events } = new SessionFolder(machine.dataFolder, withoutMachine(id));
    const printed = Array.from({ length: LINES }, (_, n) => `${n + 1}\r\n`).join('');
    await soon(() => readFileSync(raw, 'utf8')).toContain(printed); // less than its host keeps
    expect(readFileSync(events, 'utf8')).not.toContain('"gap"');
    await win.page.locator(`[data-tab="${id}"]`).click();
    await soon(() => win.lines(win.card('echo alive'))).toEqual(['alive']);
    const after = await win.run('echo after');
    await soon(() => win.lines(after)).toEqual(['after']);
    await soon(() => readFileSync(raw, 'utf8')).toContain('after\r\n');
    expect(await inHeader().count()).toBe(0);
  });
});
