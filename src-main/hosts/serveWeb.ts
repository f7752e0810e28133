import type { HostControl } from '../api/trpc.ts';
import type { CoreStatus } from '../contract/coreStatus.ts';
import { systemClock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { findAppFiles } from './appFiles.ts';
import { type OwnCore, SecondCoreError, startCore } from './startCore.ts';
import { coreRestart } from './update/restartCore.ts';
import { findAddress } from './web/findAddress.ts';
import { Keys } from './web/Keys.ts';
import { keepLastPort, readLastPort } from './web/lastPort.ts';
import { requestUrl } from './web/requestUrl.ts';
import { serveLocally } from './web/serveLocally.ts';
import { loadStaticFiles } from './web/staticFiles.ts';
import { WebHost } from './web/WebHost.ts';

/** A core with the web front, in this process or in another one. */
export interface ServedFront {
  url: string;
  /** Origin of the tunnel that the core uses. */
  publicOrigin: string | null;
  /** Process id of the core. */
  pid: number;
  /** The core was running already. */
  isJoined: boolean;
  /** Build of a core that was running already; see `CoreStatus.build`. */
  build: string;
  /** Resolves when this process was asked to end and the record is saved; at once if another process serves. */
  ended: Promise<EndWish>;
}

export type Served = ({ ok: true } & ServedFront) | { ok: false; message: string };

export interface ServeOptions {
  port: number;
  /** The exact https origin of the person's own tunnel to that port. */
  publicOrigin?: string | undefined;
  /** The folder of a first terminal; none by default. */
  cwd?: string;
  /** This process belongs to no terminal. */
  isBackground: boolean;
}

/** The other core may be just ending, and another start may then be faster; three losses in a row are no chance. */
const TRIES = 3;

/** Starts a core with the web front, or joins the running one; returns one URL to open in both cases. */
export async function serveWeb(options: ServeOptions): Promise<Served> {
  const files = loadStaticFiles(findAppFiles().rendererDir); // before the lock, because nothing may start without a build
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const started = await startCore(process.env, { mayRestart: true }).catch(asSecond);
    if (started instanceof SecondCoreError) return { ok: false, message: started.message };
    if (started.ok) return serve(started, files, options);
    const joined = await joinRunning(started);
    if (joined) return joined;
  }
  return { ok: false, message: 'other starts of Hansard came first and ended again. Try once more.' };
}

function asSecond(error: unknown): SecondCoreError {
  if (error instanceof SecondCoreError) return error;
  throw error;
}

async function serve(started: OwnCore, files: WebFiles, options: ServeOptions): Promise<Served> {
  const { core, dataFolder } = started;
  const { publicOrigin } = options;
  const keys = new Keys(() => Date.now(), started.note); // pages admitted by the previous core keep its token
  started.remember(keys.token);
  const run = coreRestart({ cli: findAppFiles().cli, dataFolder, notices: core.notices, clock: systemClock });
  const restart = async (): Promise<void> => {
    if (!started.keepsShells()) throw new Error('Its shells would end: they do not run in the PTY host.');
    await run();
  };
  const web = new WebHost({ core, keys, frontend: 'web', files, publicOrigin, restart });
  const ending = new Ending();
  let local: IDisposable;
  try {
    const port = await listenOn(web, options.port, dataFolder);
    const origin = `http://127.0.0.1:${port}/`;
    core.setUrlMaker(() => `${origin}#${keys.newCode()}`);
    const facts = { isBackground: options.isBackground, origin, publicOrigin: publicOrigin ?? null };
    const control = controlOf(started, { web, ending, ...facts });
    local = await serveLocally({ core, dataFolder, keys, control });
  } catch (error) {
    web.dispose();
    await started.stop();
    return { ok: false, message: listenProblem(error, options.port) };
  }
  if (options.cwd !== undefined) await core.open({ cwd: options.cwd, cols: 120, rows: 40 });
  const ended = ending.follow(async (how) => {
    web.dispose();
    local.dispose();
    await started.stop(how);
  });
  const url = core.newUrl() ?? '';
  return { ok: true, url, publicOrigin: publicOrigin ?? null, pid: process.pid, isJoined: false, build: '', ended };
}

/** Listens on the given port; by default on the last one if it is free. */
async function listenOn(web: WebHost, wanted: number, dataFolder: string): Promise<number> {
  const at = (port: number): Promise<number> => web.listen({ port, host: '127.0.0.1' });
  const last = wanted === 0 ? await readLastPort(dataFolder) : 0;
  const port = last === 0 ? await at(wanted) : await at(last).catch(() => at(0));
  if (port !== last) await keepLastPort(dataFolder, port);
  return port;
}

type WebFiles = ReturnType<typeof loadStaticFiles>;

function controlOf(
  { startedMs, keepsShells }: OwnCore,
  {
    web,
    ending,
    ...facts
  }: { web: WebHost; ending: Ending } & Pick<CoreStatus, 'isBackground' | 'origin' | 'publicOrigin'>,
): HostControl {
  return {
    status: () => ({ startedMs, keepsShells: keepsShells(), front: 'web', connections: web.connections, ...facts }),
    end: (how) => ending.ask(how),
  };
}

/** Null if the other core has ended meanwhile, so the folder is free. */
async function joinRunning({ dataFolder, pid }: { dataFolder: string; pid: number }): Promise<Served | null> {
  const other = `another Hansard (process ${pid}) uses ${dataFolder}`;
  const found = await findAddress(dataFolder);
  if (found.status === 'none') return null;
  if (found.status === 'silent')
    return { ok: false, message: `${other} and does not say where it listens. Close it first.` };
  const answer = await requestUrl(found.address);
  if (answer.ok) {
    const { url, publicOrigin, build } = answer;
    return { ok: true, url, publicOrigin, build, pid: found.address.pid, isJoined: true, ended: Promise.resolve({}) };
  }
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

/** `isLeft`: shells keep running in the PTY host. */
export interface EndWish {
  readonly isLeft?: boolean;
}

/** The end of this process, requested by a signal or by the command line. Later requests change nothing. */
class Ending {
  readonly #asked = Promise.withResolvers<EndWish>();

  ask(how: EndWish = {}): void {
    this.#asked.resolve(how);
  }

  /** Resolves after `end` has handled the first request; everything is on disk then. Rejects with its error. */
  async follow(end: (how: EndWish) => Promise<void>): Promise<EndWish> {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => this.ask());
    const how = await this.#asked.promise;
    await end(how);
    return how;
  }
}
