import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, CLI } from '../support/WebApp.ts';

const fixture = new URL('../fixtures/casts/player_snapshot.cast', import.meta.url).pathname;

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('recordings in the window', () => {
  const served = new ServedWindow();
  let win: TerminalWindow;

  beforeAll(async () => {
    win = await served.start();
  });

  afterAll(async () => {
    await served.dispose();
  });

  const metaOf = (id: string) =>
    JSON.parse(readFileSync(new SessionFolder(served.app.home, id).meta, 'utf8')) as Record<string, unknown>;

  async function downloaded(act: () => Promise<unknown>): Promise<{ name: string; lines: unknown[] }> {
    const [download] = await Promise.all([win.page.waitForEvent('download'), act()]);
    const text = readFileSync(await download.path(), 'utf8');
    const lines = text.trimEnd().split('\n');
    return { name: download.suggestedFilename(), lines: lines.map((line) => JSON.parse(line) as unknown) };
  }

  test('a card is saved as an asciicast with its command, its output and its time', async () => {
    const card = await win.run('echo first; sleep 0.3; echo second');
    const { name, lines } = await downloaded(() => win.choose(card, 'Export as asciicast'));
    expect(name).toMatch(/^t[\w-]+-b\d+-\w+\.cast$/);
    const [head, ...all] = lines as [object, ...[number, string, string][]];
    // The window may set the terminal's size once while the first command runs, which the record contains.
    const events = all.filter(([, code]) => code !== 'r');
    expect(all.length - events.length).toBeLessThanOrEqual(1);
    expect(head).toMatchObject({ version: 2, title: 'echo first; sleep 0.3; echo second' });
    expect(events.map(([, code, data]) => [code, data])).toEqual([
      ['m', 'echo first; sleep 0.3; echo second'],
      ['o', 'first\r\n'],
      ['o', 'second\r\n'],
    ]);
    expect((events[2]?.[0] ?? 0) - (events[1]?.[0] ?? 0)).toBeGreaterThan(0.25);
  });

  test('the whole terminal is saved from the palette, prompts and all', async () => {
    const { name, lines } = await downloaded(() => win.act('Export terminal as asciicast'));
    expect(name).toMatch(/^t[\w-]+\.cast$/);
    const text = (lines.slice(1) as [number, string, string][])
      .map(([, code, data]) => (code === 'o' ? data : ''))
      .join('');
    expect(text).toContain('second\r\n');
    expect(text).toContain('\x1b]133;');
    expect(text).not.toMatch(/Zj[0-9a-f]{32}/);
  });

  test('an import comes as a tab of its own, without a shell, and comes back when it was closed', async () => {
    const before = await win.tabs.count();
    const env = { ...process.env, HANSARD_HOME: served.app.home };
    execFileSync(process.execPath, [CLI, 'import', fixture, '--title', 'a build'], { env, stdio: 'ignore' });
    const tab = win.tabs.filter({ hasText: 'a build' });
    await soon(() => tab.count()).toBe(1);
    await tab.click();
    await soon(() => win.page.getByText('Done!').count()).toBeGreaterThan(0);
    await soon(() => win.page.getByText('Recording. It is kept').count()).toBe(1);
    expect(await win.page.getByRole('button', { name: /Restart/ }).count()).toBe(0);
    const [id = ''] = SessionFolder.list(served.app.home).filter((one) => metaOf(one).origin === 'import');
    expect(metaOf(id)).toMatchObject({ cols: 100, rows: 30 });
    await win.act('Close tab');
    await soon(() => win.tabs.count()).toBe(before);
    await win.act('Open recording…');
    await win.page.getByRole('option', { name: /a build/ }).click();
    await soon(() => tab.count()).toBe(1);
    await soon(() => win.page.getByText('Done!').count()).toBeGreaterThan(0);
  });
});
