import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectTo } from '../support/coreClient.ts';
import { ROOT } from '../support/sourceFiles.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, CLI, ServedApp, TestBrowser } from '../support/WebApp.ts';

const MACHINE = join(ROOT, 'test/machines/rig/attackingMachine.mjs');
/** A person calls a longer pause a freeze. Without limits, the page did not answer at all. */
const MAX_PAUSE_MS = 2_500;
/** Growth of the core's memory in a flood that sends gigabytes without limits. */
const MAX_GROWTH_MB = 400;
/** Elements that forged text could create. The editor itself puts images without a source around its placeholder. */
const DANGEROUS = 'img:not(.cm-widgetBuffer:not([src])), script:not([src]), iframe';
const FLOOD_MS = 4_000;

/** A real core behind a proxy that attacks the window in which its terminal is open: see attackingMachine.mjs. */
describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('an open terminal of a hostile machine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-attack-'));
  const attackFile = join(folder, 'attack');
  const far = new ServedApp();
  const app = new ServedApp({ env: { PATH: `${folder}${delimiter}${process.env.PATH}` } });
  const browser = new TestBrowser();
  const happened: string[] = [];
  let attacks = 0;
  let win: TerminalWindow;

  beforeAll(async () => {
    const variables = { HANSARD_HOME: far.home, FAR_CLI: CLI, FAR_ATTACK: attackFile };
    const set = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'\n`);
    const script = `#!/bin/sh\n${set.join('')}exec '${process.execPath}' '${MACHINE}' "$@"\n`;
    writeFileSync(join(folder, 'ssh'), script, { mode: 0o755 });
    attack('nothing');
    await far.start();
    const there = connectTo(far.home);
    await there.api.terminal.open.mutate({ cols: 80, rows: 24, shell: 'bash' });
    there.dispose();
    await app.start();
    const { page } = await browser.open('about:blank');
    page.on('pageerror', ({ message }) => happened.push(message));
    page.on('dialog', (dialog) => {
      happened.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('crash', () => happened.push('the page crashed'));
    await page.goto(app.url);
    win = new TerminalWindow(page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
    await far.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const remote = () => win.page.locator('[data-tab^="on-"]').first();
  const here = () => win.page.locator('[data-tab]:not([data-tab^="on-"])').first();
  const bar = () => win.page.locator('[data-refused]');
  /** Each attack has a name of its own, so that one can follow itself. */
  const attack = (name: string) => {
    attacks += 1;
    writeFileSync(attackFile, name === 'nothing' || name === 'twice' ? name : `${name} ${attacks}`);
  };
  const coreMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${app.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  /** Begins to measure; the result is the longest time since then in which the page did nothing for the person. */
  const watchPage = async (): Promise<() => Promise<number>> => {
    await win.page.evaluate(() => {
      const longest = { ms: 0 };
      let lastMs = performance.now();
      const beat = () => {
        longest.ms = Math.max(longest.ms, performance.now() - lastMs);
        lastMs = performance.now();
        setTimeout(beat, 20);
      };
      beat();
      Object.assign(globalThis, { longest });
    });
    return () => win.page.evaluate(() => (Reflect.get(globalThis, 'longest') as { ms: number }).ms);
  };
  /** The cards of a pane that was just shown may still be on their way, so the card is found by its command. */
  const says = async (word: string) => {
    await win.submit(`echo ${word}`);
    await soon(() => win.lines(win.card(`echo ${word}`))).toEqual([word]);
  };
  const runsHere = async (word: string) => {
    await here().click();
    await win.ready();
    await says(word);
    await remote().click();
    await win.ready();
  };

  test('is followed like any other', async () => {
    await win.ready();
    const core = connectTo(app.home);
    await core.api.machine.connect.mutate({ name: 'ada@far' });
    core.dispose();
    await remote().click();
    await win.ready();
    const card = await win.run('echo far');
    await soon(() => win.lines(card)).toEqual(['far']);
  });

  test.each([
    ['words', 'block.exitCode'],
    ['endOfTime', 'block.startedMs'],
    ['giantCard', 'block.outputLines'],
    ['giantBlock', 'block.cmd'],
    ['foreign', 'block.onChange.terminalId'],
    ['hugeSize', 'cols'],
    ['beyond', 'offset'],
    ['backwards', 'offset'],
    ['giantBytes', 'data'],
    ['delta', 'never sent'],
  ])('%s is refused with a reason, and the person can go on', async (name, reason) => {
    const longest = await watchPage();
    await remote().click();
    attack(name);
    await bar().waitFor();
    expect(await bar().getByRole('alert').innerText()).toContain(reason);
    await bar().getByRole('button').click();
    await bar().waitFor({ state: 'detached' });
    await says(`after-${name}`);
    await runsHere(name);
    expect(await longest()).toBeLessThan(MAX_PAUSE_MS);
  });

  test('what is true of a terminal is shown as it is', async () => {
    attack('name');
    await win.card('echo <img src=x onerror=alert(1)>').waitFor();
    attack('year9999');
    const card = win.card('in 9999');
    await card.waitFor();
    expect(await card.locator('time').getAttribute('datetime')).toBe('9999-12-31T00:00:00.000Z');
    expect(await card.innerText()).toContain('exit -7');
    attack('twice');
    await win.card('here twice').waitFor();
    expect(await win.page.getByRole('heading', { name: 'here twice' }).count()).toBe(1);
    expect(await win.page.locator(DANGEROUS).count()).toBe(0);
    attack('nothing');
  });

  test.each(['blocks', 'largeBlocks', 'counters', 'bytes', 'states', 'sizes'])(
    'a flood of %s leaves the window to the person',
    async (name) => {
      const longest = await watchPage();
      const before = coreMb();
      writeFileSync(attackFile, name);
      const until = Date.now() + FLOOD_MS;
      await runsHere(`during-${name}`);
      await soon(() => Date.now()).toBeGreaterThan(until);
      const grown = coreMb() - before;
      attack('nothing');
      expect(await longest()).toBeLessThan(MAX_PAUSE_MS);
      expect(grown).toBeLessThan(MAX_GROWTH_MB);
      await runsHere(`after-${name}`);
    },
  );

  test('nothing of the page broke, and nothing ran', () => {
    expect(happened).toEqual([]);
  });
});
