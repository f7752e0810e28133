import type { AppRouter } from '../../api/appRouter.ts';
import type { ApiContext, HostControl } from '../../api/trpc.ts';
import type { Settings } from '../../contract/settings.ts';
import { systemClock } from '../../util/Clock.ts';
import { type IDisposable, toDisposable } from '../../util/Disposables.ts';
import { detach } from '../../util/strayErrors.ts';
import { findAppFiles } from '../appFiles.ts';
import { findHost } from '../runningHost.ts';
import { type StartedCore, startCore } from '../startCore.ts';
import { connectCore } from '../web/connectCore.ts';
import { findAddress } from '../web/findAddress.ts';
import { Keys } from '../web/Keys.ts';
import { serveLocally } from '../web/serveLocally.ts';
import { bridgeRouter } from './bridgeRouter.ts';
import { remoteRouter } from './remoteRouter.ts';
import { runningPrograms } from './runningPrograms.ts';

/** The core that the window shows: this process' own, or one that runs in the background. */
export interface DesktopCore {
  readonly dataFolder: string;
  /** The API that the bridge serves to the page. */
  readonly router: AppRouter;
  /** For `router`, of the page `clientId`. */
  context(clientId: string): ApiContext;
  /** Opens the command line's socket; a core in another process already has one. */
  serve(app: DesktopControl): Promise<IDisposable>;
  open(cwd: string): Promise<void>;
  /** The programs that end with the app. */
  runningPrograms(): Promise<string[]>;
  /** Calls `listen` now and after each change. */
  onSettings(listen: (settings: Settings) => void): IDisposable;
  setSettings(change: Partial<Settings>): Promise<void>;
  /** Told once when a core that runs elsewhere is gone; our own goes when we say. */
  onLost(listen: (left: { doShellsRun: boolean }) => void): void;
  /** Resolves when the record is whole, or the other core was left. */
  leave(): Promise<void>;
}

/** What the command line's socket can ask of the app. */
export interface DesktopControl extends Pick<HostControl, 'end'> {
  /** Without a window the core runs in the background. */
  hasWindow(): boolean;
}

/** Size of a terminal opened before a window has reported its size. */
const FIRST_SIZE = { cols: 120, rows: 40 } as const;

export function ownCore(started: Extract<StartedCore, { ok: true }>): DesktopCore {
  const { core, dataFolder, startedMs } = started;
  return {
    dataFolder,
    router: bridgeRouter(),
    context: (clientId) => ({ core, frontend: 'electron', clientId }),
    serve: ({ end, hasWindow }) => {
      const facts = { startedMs, front: 'desktop', origin: null, publicOrigin: null, connections: 0 } as const;
      const status = () => ({ ...facts, keepsShells: started.keepsShells(), isBackground: !hasWindow() });
      const control = { end, status };
      return serveLocally({ core, dataFolder, keys: new Keys(() => systemClock.nowMs()), control });
    },
    open: async (cwd) => void (await core.open({ cwd, ...FIRST_SIZE })),
    runningPrograms: () => runningPrograms(core),
    onSettings: (listen) => {
      const stop = new AbortController();
      listen(core.settings.value);
      const follow = async (): Promise<void> => {
        for await (const settings of core.settings.follow(stop.signal)) listen(settings);
      };
      detach('DesktopCore', follow());
      return toDisposable(() => stop.abort());
    },
    setSettings: async (change) => void (await core.settings.update(change)),
    onLost: () => undefined,
    leave: () => started.stop(),
  };
}

export type CoreFound =
  | { ok: true; core: DesktopCore }
  /** `pid` owns the record and cannot be joined: it does not answer, or has another version. */
  | { ok: false; dataFolder: string; pid: number };

/** Starts the core of the data folder, or joins the one that runs. */
export async function findCore(): Promise<CoreFound> {
  for (;;) {
    const started = await startCore();
    if (started.ok) return { ok: true, core: ownCore(started) };
    const found = await findAddress(started.dataFolder);
    if (found.status === 'none') continue; // it has just ended, so the folder is free
    const core = found.status === 'ok' ? await joinCore(started.dataFolder, found.address) : null;
    return core ? { ok: true, core } : started;
  }
}

/**
 * A core in another process, over its local socket. The page uses the same bridge and the same app:// files, so the window's guards stay in force,
 * and it has a window's rights there. Null if the core does not answer or has another version.
 */
async function joinCore(dataFolder: string, address: Parameters<typeof connectCore>[0]): Promise<DesktopCore | null> {
  const connection = connectCore(address, 'electron');
  const { api, lost } = connection;
  const info = await Promise.race([api.system.info.query(), lost]).catch(() => null);
  if (info?.version !== findAppFiles().version) {
    connection.dispose();
    return null;
  }
  let hasLeft = false;
  return {
    dataFolder,
    router: remoteRouter(connection),
    context: () => ({}) as ApiContext, // the other core creates its own
    serve: async () => toDisposable(() => undefined),
    open: async (cwd) => void (await api.terminal.open.mutate({ cwd, ...FIRST_SIZE })),
    runningPrograms: async () => [], // they keep running in the other core
    onSettings: (listen) => {
      const following = api.settings.onChange.subscribe(undefined, { onData: listen });
      return toDisposable(() => following.unsubscribe());
    },
    setSettings: async (change) => void (await api.settings.set.mutate(change)),
    onLost: (listen) => {
      const look = async (): Promise<void> => {
        const doShellsRun = (await findHost(dataFolder)) !== null;
        if (!hasLeft) listen({ doShellsRun });
      };
      void lost.catch(() => detach('DesktopCore', look()));
    },
    leave: async () => {
      hasLeft = true;
      connection.dispose();
    },
  };
}
