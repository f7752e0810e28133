import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { windowOptions } from '../../src-main/hosts/electron/windows/windowOptions.ts';
import { Installation } from '../cli/Installation.ts';
import { ROOT } from '../support/sourceFiles.ts';
import { runDriver } from './runDriver.ts';

interface AppReport {
  order: string[];
  paths: Record<string, string>;
  schemes: unknown;
  lockData: unknown;
  windowOptions: unknown;
  url: string;
  menu: unknown;
  sessionHandlers: string[];
  exposed: unknown;
  info: { frontend: string };
  commandLine: unknown;
  page: [number, string];
  outside: number[];
  trespass: unknown;
  followedBefore: string[];
  followedAfter: string[];
  card: unknown;
  severalWindows: unknown;
  movedTo: unknown;
  keys: unknown;
  background: { question: { message: string; detail: string }; isCoreThere: boolean };
  returned: unknown;
  afterCancel: unknown;
  remembered: unknown;
  questions: number;
  exitCode: number;
  left: unknown;
  windowJson: unknown;
}

interface StartReport {
  exitCode: number;
  windows: number;
  questions: { message: string; detail?: string }[];
  opened: string[];
}

let dataFolder: string;
const newFolder = (): string => mkdtempSync(join(tmpdir(), 'hansard-desktop-'));

describe('the built desktop app, from start to end', () => {
  let report: AppReport;
  beforeAll(async () => {
    dataFolder = newFolder();
    report = await runDriver<AppReport>('driveApp.ts', { HANSARD_HOME: dataFolder });
  });
  afterAll(() => rmSync(dataFolder, { recursive: true, force: true }));

  test('does what must be done before Electron is ready, before it is ready', () => {
    expect(report.order).toEqual([
      'setPath',
      'enableSandbox',
      'registerSchemesAsPrivileged',
      'requestSingleInstanceLock',
      'ready',
    ]);
    expect(report.schemes).toEqual([
      { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
    ]);
  });

  test("keeps Chromium's files in the data folder, so that the lock is one per record", () => {
    expect(report.paths).toEqual({ userData: join(dataFolder, 'electron') });
  });

  test('opens one window with exactly the options that were decided', () => {
    const place = { bounds: { width: 1280, height: 800 }, isMaximized: false, isFullScreen: false };
    const look = {
      isDark: true,
      preload: join(ROOT, 'out/preload/preload.cjs'),
      icon: process.platform === 'linux' ? join(ROOT, 'resources/icons/512x512.png') : null,
      devTools: false,
    };
    expect(report.windowOptions).toEqual(windowOptions(place, look));
    expect(report.url).toMatch(/^app:\/\/bundle\/index\.html\?window=w[0-9a-f]{12}$/);
  });

  test('answers every question a page can ask of its session', () => {
    expect(report.sessionHandlers).toEqual(['check', 'device', 'display', 'request', 'will-download']);
  });

  test('serves the page with the policy, and nothing outside it', () => {
    expect(report.page).toEqual([200, expect.stringContaining("default-src 'none'; script-src 'self'")]);
    expect(report.outside).toEqual([404, 404]);
  });

  test('shows the page the bridge and what its window can do', () => {
    expect(report.exposed).toEqual([
      { name: 'electronTRPC', keys: ['sendMessage', 'onMessage'] },
      { name: 'hansardDesktop', keys: ['raise', 'onMessage', 'tell', 'newWindow', 'pathOf'] },
    ]);
  });

  test('opens one more window on the same core for its page alone, and closes it without a question', () => {
    expect(report.severalWindows).toEqual({
      refused: 0,
      terminals: 1,
      frontend: 'electron',
      raised: true,
      questions: 0,
      isFirstOpen: true,
    });
  });

  test('opens a window for a tab under the id and at the place that its page names', () => {
    expect(report.movedTo).toMatchObject({ x: 40, y: 50, width: 1000, height: 700 });
  });

  test('zooms by key and offers the edit menu in text fields', () => {
    expect(report.keys).toEqual({ levels: [1, 2, 1, 0], prevented: [true, true, true, true, false], menus: 1 });
  });

  test('runs a command over the bridge, and its card has the text', () => {
    expect(report.info.frontend).toBe('electron');
    expect(report.card).toEqual({ cmd: 'echo hi from the desktop', exitCode: 0, text: 'hi from the desktop\n' });
  });

  test('is deaf to every sender but its page, and does not stumble', () => {
    expect(report.trespass).toEqual({ attempts: 11, repliesBesidesTheHonestOne: 0 });
  });

  test('ends what a page followed when that page is loaded again, and not before', () => {
    expect(report.followedBefore).toEqual(['data']);
    expect(report.followedAfter.slice(0, 2)).toEqual(['data', 'stopped']);
  });

  test('is reached by the command line, and has no page to open', () => {
    expect(report.commandLine).toEqual({ ok: false, reason: 'window' });
  });

  test('names what runs before it closes, and goes on in the background when told to', () => {
    expect(report.background).toMatchObject({
      question: {
        message: 'One program is still running. Quitting ends it.',
        detail: expect.stringContaining('sleep'),
      },
      isCoreThere: true,
    });
  });

  test('shows the same terminals again when it is started a second time', () => {
    expect(report.returned).toEqual({ terminals: 1, windows: 2 });
  });

  test('stays when the answer is cancel, follows the theme, and never asks twice at once', () => {
    expect(report.questions).toBe(4);
    expect(report.afterCancel).toEqual({ isOpen: true, background: '#faf8f2' });
  });

  test('asks no more when the person ticked so, until the setting is changed back', () => {
    expect(report.remembered).toEqual({ setting: 'keep', questionsMore: 0 });
  });

  test('ends with the record closed, the lock given back and the window remembered', () => {
    expect(report).toMatchObject({
      exitCode: 0,
      left: { coreJson: false, lock: false },
      windowJson: {
        version: 1,
        bounds: { x: 10, y: 20, width: 1000, height: 700 },
        isMaximized: false,
        isFullScreen: false,
      },
    });
  });
});

describe('a start', () => {
  beforeEach(() => {
    dataFolder = newFolder();
  });
  afterEach(() => rmSync(dataFolder, { recursive: true, force: true }));

  test('beside a running app opens nothing and ends', async () => {
    const report = await runDriver<StartReport>('driveStart.ts', {
      HANSARD_HOME: dataFolder,
      FAKE_SECOND_INSTANCE: '1',
    });
    expect(report).toMatchObject({ exitCode: 0, windows: 0, questions: [] });
  });

  test('beside a core of another version says so and opens its page', async () => {
    const newer = new Installation({ isBuilt: true });
    const about = join(newer.root, 'package.json');
    writeFileSync(about, readFileSync(about, 'utf8').replace(/"version": ".*"/, '"version": "99.0.0"'));
    const served = newer.start(['serve', '--no-open'], { home: dataFolder });
    try {
      const url = await served.url();
      const report = await runDriver<StartReport>('driveStart.ts', { HANSARD_HOME: dataFolder, FAKE_ANSWERS: '0' });
      expect(report).toMatchObject({
        exitCode: 0,
        windows: 0,
        questions: [{ message: 'Another version of Hansard is already running.' }],
      });
      const [origin, code] = (report.opened[0] ?? '').split('#');
      expect(origin).toBe(url.split('#')[0]);
      expect(code).not.toBe(url.split('#')[1]);
    } finally {
      await served.end();
      newer.dispose();
    }
  });

  test('on a place that is no folder says why and ends with 1', async () => {
    const file = join(dataFolder, 'file');
    writeFileSync(file, '');
    const report = await runDriver<StartReport>('driveStart.ts', { HANSARD_HOME: file });
    expect(report).toMatchObject({
      exitCode: 1,
      windows: 0,
      questions: [{ message: 'Hansard could not start', detail: `${file} is not a folder` }],
    });
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'])('that is ended by %s asks nobody and ends well', async (signal) => {
    const report = await runDriver<StartReport>('driveStart.ts', { HANSARD_HOME: dataFolder, FAKE_SIGNAL: signal });
    expect(report).toMatchObject({ exitCode: 0, windows: 1, questions: [] });
  });

  test('is ended by a logout without a question, and never calls the logout off', async () => {
    const report = await runDriver<StartReport & { isLogoutCalledOff: boolean }>('driveStart.ts', {
      HANSARD_HOME: dataFolder,
      FAKE_LOGOUT: '1',
    });
    expect(report).toMatchObject({ exitCode: 0, questions: [], isLogoutCalledOff: false });
  });

  test('whose window cannot be loaded shows it, says why, and tries again', async () => {
    const report = await runDriver<StartReport>('driveStart.ts', {
      HANSARD_HOME: dataFolder,
      FAKE_LOAD_FAILURES: 'ERR_FILE_NOT_FOUND,ERR_FAILED',
      FAKE_ANSWERS: '0,0',
      FAKE_SIGNAL: 'SIGTERM',
    });
    expect(report).toMatchObject({
      exitCode: 0,
      windows: 1,
      questions: [
        { message: 'The window could not be loaded.', detail: expect.stringContaining('ERR_FILE_NOT_FOUND') },
        { message: 'The window could not be loaded.', detail: expect.stringContaining('ERR_FAILED') },
      ],
    });
    expect(readFileSync(join(dataFolder, 'core.log'), 'utf8')).toContain('"page_not_loaded"');
  });
});
