import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { BROWSER } from '../support/WebApp.ts';
import { runDriver } from './runDriver.ts';

const hasBrowser = BROWSER !== '' && existsSync(BROWSER);
const dataFolder = mkdtempSync(join(tmpdir(), 'hansard-window-'));
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }));

interface WindowReport {
  first: string[];
  second: string[];
  complaints: string[];
  exitCode: number;
}

test('the desktop window runs a command over the bridge, shows its card, and finds it again when it is loaded anew', async (context) => {
  if (!hasBrowser) context.skip('no Chromium or Chrome on this machine');
  const report = await runDriver<WindowReport>('driveWindow.ts', { HANSARD_HOME: dataFolder, BROWSER });
  expect(report.first).toEqual([expect.stringMatching(/echo hi from the window[\s\S]*\nhi from the window/)]);
  expect(report.second).toEqual([...report.first, expect.stringMatching(/printf[\s\S]*\nagain/)]);
  expect([report.complaints, report.exitCode]).toEqual([[], 0]);
});
