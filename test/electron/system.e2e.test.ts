import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runDriver } from './runDriver.ts';

describe('the desktop app outside of its windows', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'hansard-system-'));
  let report: Record<string, unknown>;

  beforeAll(async () => {
    report = await runDriver('driveSystem.ts', { HANSARD_HOME: dataFolder });
  });
  afterAll(() => rmSync(dataFolder, { recursive: true, force: true }));

  test('has a menu bar before its page has told of any action, and then the actions of the page', () => {
    const menus = ['File', 'Edit', 'View', 'Terminal', 'Window', 'Help'];
    expect(report.firstMenu).toEqual(process.platform === 'darwin' ? ['Hansard', ...menus] : menus);
    expect(report.ran).toEqual([['hansard-page', { run: 'tab.new' }]]);
    expect(report.isMenuKept).toBe(true);
  });

  test('shows how many wait, and takes no other number', () => {
    expect(report.badges).toEqual([2]);
    expect(report.toolTip).toBe('Hansard: 2 wait for you');
  });

  test('is shown by a shortcut of the person, and says so when another program has it or it is none', () => {
    expect(report.shortcuts).toEqual(['Ctrl+Alt+H']);
    expect(report.taken).toEqual([
      'The shortcut Ctrl+Alt+T cannot be used.',
      'The shortcut no shortcut at all cannot be used.',
    ]);
    expect(report.shortcutsAfter).toEqual([]);
  });

  test('looks for a new version only where a feed is set, and only over https', () => {
    expect(report.updates).toEqual([
      'No update feed is set.',
      'The update feed cannot be used.',
      'The update feed cannot be used.',
    ]);
  });

  test('goes on in the tray without a question, comes back from there, and ends there', () => {
    expect(report).toMatchObject({ questionsAtClose: 0, cameBack: true, exitCode: 0, isTrayGone: true });
  });
});
