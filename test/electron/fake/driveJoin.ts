/**
 * Starts the built desktop app beside a core in another process (`CORE_PID`) and uses it as its page does. Then closes the window, or
 * kills the core (`FAKE_END=kill`). `FAKE_ANSWERS` are the buttons to press.
 */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createTRPCClient, type TRPCClient } from '@trpc/client';
import type { AppRouter } from '../../../src-main/api/appRouter.ts';
import { codeOf } from '../../../src-renderer/rpc/codeOf.ts';
import { answers, type BrowserWindow, ended, ipcMain, nativeTheme, record } from './electron.ts';
import { eventFrom, openBridge } from './openBridge.ts';

type Api = TRPCClient<AppRouter>;
const root = pathToFileURL(`${process.env.APP_ROOT ?? ''}/`);
const report: Record<string, unknown> = {};

async function until<T>(look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function connectPage({ webContents }: BrowserWindow): Promise<Api> {
  const bridge = openBridge(fileURLToPath(new URL('out/preload/preload.cjs', root)), (channel, message) => {
    ipcMain.emit(channel, eventFrom(webContents, webContents.mainFrame, bridge.deliver), message);
  });
  Object.assign(globalThis, { electronTRPC: bridge.exposed[0]?.api });
  const { ipcLink } = await import('electron-trpc/renderer');
  return createTRPCClient<AppRouter>({ links: [ipcLink()] });
}

/** Reads a refusal as the window's own code does. */
const refusalOf = (asked: Promise<unknown>): Promise<string | undefined> => asked.then(() => 'granted', codeOf);

/** Views the core's only terminal until it shows the typed words, and reports the kinds of items that arrive. */
async function followScreen(api: Api, id: string): Promise<void> {
  let text = '';
  const kinds = new Set<string>();
  const following = api.terminal.stream.subscribe(
    { id, viewerId: 'page' },
    {
      onData: (item) => {
        kinds.add(item.type);
        if (item.type === 'state') text += item.data;
        if (item.type === 'bytes') text += Buffer.from(item.data, 'base64').toString();
      },
    },
  );
  await until(() => text.includes('before the window'));
  await api.terminal.write.mutate({ id, data: 'typed in the window\n' });
  await until(() => text.includes('typed in the window'));
  report.kinds = [...kinds].sort();
  following.unsubscribe();
}

await import(new URL('out/main/electron.js', root).href);
const window = await until(() => record.windows.find(({ url, isShown }) => url !== '' && isShown));
const api = await connectPage(window);
report.url = window.url;
report.preload = JSON.stringify(record.windowOptions[0]).includes('preload.cjs');
report.frontend = (await api.system.info.query()).frontend;
report.refused = await Promise.all([
  refusalOf(api.system.newUrl.mutate()),
  refusalOf(api.system.end.mutate()),
  refusalOf(api.system.status.query()),
  refusalOf(api.terminal.rename.mutate({ id: '../..', name: 'x' })),
]);
const { order } = await api.workspace.get.query();
report.terminals = order.length;
await followScreen(api, order[0] ?? '');
await api.settings.set.mutate({ theme: 'light' });
await until(() => nativeTheme.themeSource === 'light');
report.theme = nativeTheme.themeSource;
answers.push(...(process.env.FAKE_ANSWERS ?? '').split(',').filter(Boolean).map(Number));
if (process.env.FAKE_END === 'kill') process.kill(Number(process.env.CORE_PID), 'SIGKILL');
else window.close();
report.exitCode = await ended.promise;
report.questions = record.questions.map(({ message, detail }) => `${message} ${detail}`);
report.relaunches = record.relaunches;
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
