import { join } from 'node:path';
import { readJsonFile } from '../../store/replaceFile.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { findAppFiles } from '../appFiles.ts';
import { startCore } from '../startCore.ts';
import { CoreAddress } from './coreAddress.ts';
import { Keys } from './Keys.ts';
import { requestUrl } from './requestUrl.ts';
import { serveLocally } from './serveLocally.ts';
import { loadStaticFiles } from './staticFiles.ts';
import { WebHost } from './WebHost.ts';

export type Served =
  | { ok: true; url: string; isJoined: boolean; ended: Promise<void> }
  | { ok: false; message: string };

/** Starts a core with the web front, or joins the one that runs already; either way there is one URL to open. */
export async function serveWeb(options: { port: number; cwd?: string }): Promise<Served> {
  const files = loadStaticFiles(findAppFiles().rendererDir); // before the lock: without a build nothing must start
  const started = await startCore();
  if (!started.ok) return joinRunning(started.dataFolder, started.pid);
  const { core, dataFolder } = started;
  const keys = new Keys(() => Date.now());
  const web = new WebHost({ core, keys, frontend: 'web', files });
  let local: IDisposable;
  try {
    const port = await web.listen({ port: options.port, host: '127.0.0.1' });
    core.setUrlMaker(() => `http://127.0.0.1:${port}/#${keys.newCode()}`);
    local = await serveLocally({ core, dataFolder, keys });
  } catch (error) {
    web.dispose();
    await started.stop();
    return { ok: false, message: listenProblem(error, options.port) };
  }
  if (options.cwd !== undefined) await core.open({ cwd: options.cwd, cols: 120, rows: 40 });
  const ended = endOnSignal(async () => {
    web.dispose();
    local.dispose();
    await started.stop();
  });
  return { ok: true, url: core.newUrl() ?? '', isJoined: false, ended };
}

async function joinRunning(dataFolder: string, pid: number): Promise<Served> {
  const other = `another Hansard (process ${pid}) uses ${dataFolder}`;
  const read = await readJsonFile(join(dataFolder, 'core.json'), CoreAddress);
  if (read.status !== 'ok')
    return { ok: false, message: `${other} and does not say where it listens. Close it first.` };
  const answer = await requestUrl(read.value);
  if (answer.ok) return { ok: true, url: answer.url, isJoined: true, ended: Promise.resolve() };
  if (answer.reason === 'silent') return { ok: false, message: `${other} and does not answer. Close it first.` };
  return { ok: false, message: `${other}: it is the desktop app. Use its window, or quit it first.` };
}

function listenProblem(error: unknown, port: number): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE')
    return `port ${port} is in use. Choose another with --port N, or leave it out for a free one.`;
  if (code === 'EACCES') return `port ${port} needs privileges that this user does not have. Choose one above 1023.`;
  return `could not listen: ${error instanceof Error ? error.message : String(error)}`;
}

/** Resolves when the process was told to end and everything is on disk. A second signal does not hurry it. */
function endOnSignal(end: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let isEnding = false;
    const run = (): void => {
      if (isEnding) return;
      isEnding = true;
      end().then(resolve, reject);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, run);
  });
}
