import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication } from 'playwright-core';
import { afterEach, describe, expect, type TestContext, test } from 'vitest';
import { ROOT } from '../support/sourceFiles.ts';

/** Path of Electron's program, or the reason why it is missing. Does not load its package, which would start a download. */
function findBinary(): { path: string } | { missing: string } {
  const pathFile = join(ROOT, 'node_modules/electron/path.txt');
  const path = existsSync(pathFile)
    ? join(ROOT, 'node_modules/electron/dist', readFileSync(pathFile, 'utf8').trim())
    : null;
  if (path === null || !existsSync(path)) return { missing: "Electron's binary is not on this machine" };
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY)
    return { missing: 'there is no display for a window' };
  return { path };
}

describe('the desktop app in a real Electron', () => {
  let app: ElectronApplication | null = null;
  const dataFolder = mkdtempSync(join(tmpdir(), 'hansard-electron-'));
  afterEach(async () => {
    await app?.close();
    rmSync(dataFolder, { recursive: true, force: true });
  });

  async function launch(context: TestContext): Promise<ElectronApplication> {
    const binary = findBinary();
    if ('missing' in binary) return context.skip(binary.missing);
    app = await _electron.launch({
      executablePath: binary.path,
      args: [ROOT, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])], // Chromium's sandbox refuses root
      env: {
        PATH: process.env.PATH ?? '',
        DISPLAY: process.env.DISPLAY ?? '',
        HOME: tmpdir(),
        SHELL: '/bin/bash',
        LANG: 'C.UTF-8',
        HANSARD_HOME: dataFolder,
      },
    });
    return app;
  }

  test('opens a window, runs `echo hi` and shows its card', async (context) => {
    const page = await (await launch(context)).firstWindow();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    expect(page.url()).toBe('app://bundle/index.html');
    expect(
      await page.evaluate(() => [typeof Reflect.get(globalThis, 'require'), typeof Reflect.get(globalThis, 'process')]),
    ).toEqual(['undefined', 'undefined']);
    expect(await page.evaluate(() => Notification.permission)).toBe('granted');
    await page.locator('[data-keys="line"] .cm-content').fill('echo hi');
    await page.keyboard.press('Enter');
    const card = page.getByRole('listitem').filter({ hasText: 'echo hi' });
    await card.getByText('hi', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });
});
