/**
 * Runs the built desktop app from start to end with its real main bundle, core, shell and preload; only Electron is fake. Prints a
 * report as one line of JSON. Node loads this with `--import ./register.ts`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createTRPCClient, type TRPCClient } from '@trpc/client';
import type { AppRouter } from '../../../src-main/api/appRouter.ts';
import { CoreAddress } from '../../../src-main/hosts/web/coreAddress.ts';
import { requestUrl } from '../../../src-main/hosts/web/requestUrl.ts';
import { readView } from '../../support/readView.ts';
import {
  answers,
  app,
  BrowserWindow,
  ended,
  ipcMain,
  nativeTheme,
  Preventable,
  record,
  remembering,
} from './electron.ts';
import type { FakeContents, FakeFrame } from './FakeContents.ts';
import { eventFrom, openBridge } from './openBridge.ts';

type Api = TRPCClient<AppRouter>;

/** The checkout, or the folder of an unpacked package. */
const root = pathToFileURL(`${process.env.APP_ROOT ?? ''}/`);
const dataFolder = process.env.HANSARD_HOME ?? '';
const report: Record<string, unknown> = {};

/** Calls `look` every 20 ms until it returns a value; the time limit of the test ends an endless wait. */
async function until<T>(look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The page's side of the bridge, in the main frame of `window`. */
async function connectPage(window: BrowserWindow): Promise<Api> {
  const contents = window.webContents;
  const bridge = openBridge(fileURLToPath(new URL('out/preload/preload.cjs', root)), (channel, message) => {
    ipcMain.emit(channel, eventFrom(contents, contents.mainFrame, bridge.deliver), message);
  });
  report.exposed = bridge.exposed.map(({ name, api }) => ({ name, keys: Object.keys(api) }));
  Object.assign(globalThis, { electronTRPC: bridge.exposed[0]?.api });
  const { ipcLink } = await import('electron-trpc/renderer');
  return createTRPCClient<AppRouter>({ links: [ipcLink()] });
}

async function runEcho(api: Api): Promise<void> {
  const { id } = await api.terminal.open.mutate({ cols: 100, rows: 30 });
  await until(async () => (await readView(api, id))?.atPrompt);
  report.submitted = await api.terminal.submit.mutate({ id, text: 'echo hi from the desktop' });
  const block = await until(async () => {
    const { blocks } = await api.block.page.query({ terminalId: id, limit: 10 });
    return blocks.find(({ status }) => status === 'completed');
  });
  const { text } = await api.block.text.query({ terminalId: id, blockId: block.id, what: 'output' });
  report.card = { cmd: block.cmd, exitCode: block.exitCode, text };
  await until(async () => (await readView(api, id))?.atPrompt);
  await api.terminal.submit.mutate({ id, text: 'sleep 1000' });
  await until(async () => (await readView(api, id))?.runningBlockId);
}

/** Sends messages that the app must not answer, and counts the answers. */
async function trespass({ webContents }: BrowserWindow): Promise<void> {
  const message = { method: 'request', operation: { id: 900, type: 'query', path: 'system.info' } };
  const alien: FakeFrame = { origin: 'app://bundle', routingId: 2 };
  const other = new BrowserWindow({}).webContents;
  const attempts: [FakeContents, FakeFrame | null, unknown][] = [
    [webContents, alien, message],
    [webContents, null, message],
    [other, other.mainFrame, message],
    ...[undefined, null, 7, 'x', {}, { method: 'request' }, { method: 'request', operation: { id: '1' } }].map(
      (bad): [FakeContents, FakeFrame, unknown] => [webContents, webContents.mainFrame, bad],
    ),
  ];
  let replies = 0;
  const attempt = ([contents, frame, text]: [FakeContents, FakeFrame | null, unknown]): unknown =>
    ipcMain.emit(
      'trpc-electron',
      eventFrom(contents, frame, () => {
        replies += 1;
      }),
      text,
    );
  attempts.map(attempt);
  const { origin } = webContents.mainFrame;
  webContents.mainFrame.origin = 'https://evil.example';
  attempt([webContents, webContents.mainFrame, message]);
  webContents.mainFrame.origin = origin;
  await new Promise((resolve) => setTimeout(resolve, 100));
  attempt([webContents, webContents.mainFrame, message]);
  await until(() => replies > 0);
  report.trespass = { attempts: attempts.length + 1, repliesBesidesTheHonestOne: replies - 1 };
  record.windows.pop();
}

async function readPage(): Promise<void> {
  const handler = record.handlers.get('app');
  const ask = async (path: string): Promise<[number, string | null]> => {
    const answer = await handler?.(new Request(`app://bundle${path}`));
    return [answer?.status ?? 0, answer?.headers.get('content-security-policy') ?? null];
  };
  report.page = await ask('/index.html');
  report.outside = [(await ask('/../package.json'))[0], (await ask('/%2e%2e/package.json'))[0]];
}

/** Reloads the page. Its subscriptions must end, even if Electron gives no frame. */
async function followThenNavigate(api: Api, { webContents }: BrowserWindow): Promise<void> {
  const seen: string[] = [];
  api.settings.onChange.subscribe(undefined, {
    onData: () => seen.push('data'),
    onStopped: () => seen.push('stopped'),
    onComplete: () => seen.push('complete'),
  });
  await until(() => seen.includes('data'));
  const navigation = { isMainFrame: true, isSameDocument: false, frame: null };
  webContents.emit('did-start-navigation', { ...navigation, isSameDocument: true });
  webContents.emit('did-start-navigation', { ...navigation, isMainFrame: false });
  await new Promise((resolve) => setTimeout(resolve, 50));
  report.followedBefore = [...seen];
  webContents.emit('did-start-navigation', navigation);
  await until(() => seen.length > 1);
  report.followedAfter = seen;
}

/** Opens a second window from the page, raises it by a notification, and closes it while the first stays open. */
async function openSecondWindow(first: BrowserWindow): Promise<void> {
  const { webContents } = first;
  const wish = (contents: FakeContents, frame: FakeFrame | null, message: unknown): unknown =>
    ipcMain.emit(
      'hansard-window',
      eventFrom(contents, frame, () => undefined),
      message,
    );
  wish(webContents, { origin: 'app://bundle', routingId: 2 }, 'new');
  wish(webContents, null, 'new');
  wish(webContents, webContents.mainFrame, 'format');
  await new Promise((resolve) => setTimeout(resolve, 50));
  const refused = record.windows.length - 1;
  wish(webContents, webContents.mainFrame, 'new');
  const second = await until(() => record.windows.find((window) => window !== first && window.isShown && window.url));
  for (const bad of [{ id: '../x' }, { id: 'w1', at: { x: 1e9, y: 0 } }, {}])
    wish(webContents, webContents.mainFrame, { new: bad });
  wish(webContents, webContents.mainFrame, { new: { id: 'w1', at: { x: 40, y: 50 } } });
  const moved = await until(() => record.windows.find(({ url }) => url.endsWith('?window=w1')));
  report.movedTo = record.windowOptions.at(-1);
  moved.close();
  record.windows.splice(record.windows.indexOf(moved), 1);
  const api = await connectPage(second);
  const { order } = await api.workspace.get.query();
  const { frontend } = await api.system.info.query();
  const seen = first.focusCount;
  wish(webContents, webContents.mainFrame, 'raise');
  const raised = first.focusCount > seen;
  const asked = record.questions.length;
  second.close();
  await until(() => second.isDestroyed());
  const questions = record.questions.length - asked;
  report.severalWindows = {
    refused,
    terminals: order.length,
    frontend,
    raised,
    questions,
    isFirstOpen: !first.isDestroyed(),
  };
  record.windows.pop();
  await connectPage(first);
}

/** Presses keys of the window itself, and clicks with the right button. */
function pressKeys({ webContents }: BrowserWindow): void {
  const held = {
    type: 'keyDown',
    control: process.platform !== 'darwin',
    meta: process.platform === 'darwin',
    alt: false,
  };
  const levels: number[] = [];
  const prevented = ['=', '+', '-', '0', 'c'].map((key) => {
    const event = new Preventable();
    webContents.emit('before-input-event', event, { ...held, key });
    if (key !== 'c') levels.push(webContents.zoomLevel);
    return event.defaultPrevented;
  });
  for (const isEditable of [true, false])
    webContents.emit('context-menu', {}, { isEditable, selectionText: '', editFlags: {} });
  report.keys = { levels, prevented, menus: record.popups.length };
}

/** Closes with "keep", returns by a second start, closes with "cancel", then quits. */
async function leaveAndReturn(first: BrowserWindow): Promise<void> {
  answers.push(0);
  first.close();
  await until(() => first.isDestroyed());
  report.background = { question: record.questions.at(-1), isCoreThere: existsSync(join(dataFolder, 'core.json')) };
  app.emit('second-instance', {}, [], '/', { dir: null });
  const second = await until(() => record.windows.find((window) => !window.isDestroyed() && window.isShown));
  const api = await connectPage(second);
  report.returned = { terminals: (await api.workspace.get.query()).order.length, windows: record.windows.length };
  answers.push(2);
  second.close();
  app.quit(); // quits during the question, which must not open a second one
  await until(() => record.questions.length === 2);
  await api.settings.set.mutate({ theme: 'light' });
  await until(() => nativeTheme.themeSource === 'light');
  nativeTheme.emit('updated');
  report.afterCancel = { isOpen: !second.isDestroyed(), background: second.background };
  await rememberAnswer(second);
  answers.push(1);
  app.quit();
}

/** Closes with "keep" and "do not ask again"; the next close asks nothing. */
async function rememberAnswer(window: BrowserWindow): Promise<void> {
  answers.push(0);
  remembering.push(true);
  window.close();
  await until(() => window.isDestroyed());
  app.emit('second-instance', {}, [], '/', { dir: null });
  const third = await until(() => record.windows.find((one) => !one.isDestroyed() && one.isShown));
  const again = await connectPage(third);
  const { 'quit.whileRunning': setting } = await again.settings.get.query();
  const asked = record.questions.length;
  third.close();
  await until(() => third.isDestroyed());
  report.remembered = { setting, questionsMore: record.questions.length - asked };
  app.emit('second-instance', {}, [], '/', { dir: null });
  const fourth = await until(() => record.windows.find((one) => !one.isDestroyed() && one.isShown));
  await (await connectPage(fourth)).settings.set.mutate({ 'quit.whileRunning': 'ask' });
}

const mainBundle = new URL('out/main/electron.js', root);
await import(mainBundle.href);
const window = await until(() => record.windows.find(({ url, isShown }) => url !== '' && isShown));
report.order = record.order;
report.paths = record.paths;
report.schemes = record.schemes;
report.lockData = record.lockData;
report.windowOptions = record.windowOptions[0];
report.url = window.url;
report.menu = record.menu;
report.sessionHandlers = Object.keys(record.sessionHandlers).sort();
const api = await connectPage(window);
report.info = await api.system.info.query();
report.commandLine = await requestUrl(
  CoreAddress.parse(JSON.parse(readFileSync(join(dataFolder, 'core.json'), 'utf8'))),
);
await readPage();
await trespass(window);
await followThenNavigate(api, window);
await runEcho(api);
pressKeys(window);
await openSecondWindow(window);
await leaveAndReturn(window);
report.exitCode = await ended.promise;
report.questions = record.questions.length;
report.left = { coreJson: existsSync(join(dataFolder, 'core.json')), lock: existsSync(join(dataFolder, 'core.lock')) };
report.windowJson = JSON.parse(readFileSync(join(dataFolder, 'window.json'), 'utf8')) as unknown;
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
