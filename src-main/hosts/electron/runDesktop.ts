import { homedir } from 'node:os';
import { join } from 'node:path';
import { LINK_SCHEME } from '../../contract/cardLink.ts';
import { ensurePrivateFolder, resolveDataFolder } from '../../store/instance/dataFolder.ts';
import { detach } from '../../util/strayErrors.ts';
import { APP_SCHEME } from './appFilesProtocol.ts';
import { DesktopApp, type DesktopDeps } from './DesktopApp.ts';
import { findCore } from './DesktopCore.ts';
import { guardApp } from './guardApp.ts';
import { folderArgument, linkArgument } from './launchArguments.ts';
import { findOtherCore, otherCoreQuestion } from './otherCore.ts';

/** Runs the desktop app. A failed start shows the reason in a dialog and exits with 1. */
export async function runDesktop(deps: DesktopDeps): Promise<void> {
  const { app, dialog } = deps.electron;
  try {
    await run(deps);
  } catch (error) {
    dialog.showErrorBox('Hansard could not start', error instanceof Error ? error.message : String(error));
    app.exit(1);
  }
}

async function run({ electron, ...deps }: DesktopDeps): Promise<void> {
  const { app } = electron;
  const dir = folderArgument(process.argv, { isPackaged: app.isPackaged, cwd: process.cwd() });
  const link = linkArgument(process.argv);
  prepare(electron);
  const links = followSystemLinks(app);
  if (!app.requestSingleInstanceLock({ dir, link })) return app.quit(); // the first instance gets the link and moves to the front
  await app.whenReady();
  guardApp(electron);
  const found = await findCore();
  if (!found.ok) return showOther(electron, found);
  const desktop = new DesktopApp({ electron, ...deps }, found.core);
  app.on('second-instance', (_event, _argv, _cwd, data) => detach('runDesktop', desktop.welcome(data)));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => detach('runDesktop', desktop.close('signal')));
  await desktop.start({ dir, link: links.waiting() ?? link });
  links.open((opened) => detach('runDesktop', desktop.openLink(opened)));
}

/**
 * Settings that Electron accepts only before it is ready. Chromium's own files are in the data folder, which is private to this user, so the
 * single-instance lock applies per record.
 */
function prepare({ app, protocol }: DesktopDeps['electron']): void {
  const dataFolder = resolveDataFolder(process.env, process.platform, homedir());
  ensurePrivateFolder(dataFolder);
  app.setPath('userData', join(dataFolder, 'electron'));
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([APP_SCHEME]);
}

/**
 * macOS passes links to the app as events, even before it is ready. `waiting` is the last one before the window exists; later ones go to `open`. A
 * packaged app registers for the scheme; a checkout does not, so trying it out changes nothing.
 */
function followSystemLinks(
  app: Pick<DesktopDeps['electron']['app'], 'on' | 'isPackaged' | 'setAsDefaultProtocolClient'>,
) {
  let waiting: string | null = null;
  let open = (link: string): void => {
    waiting = link;
  };
  app.on('open-url', (event, link) => {
    event.preventDefault();
    open(link);
  });
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);
  return {
    waiting: () => waiting,
    open: (listen: (link: string) => void): void => {
      open = listen;
    },
  };
}

/** A core that cannot be joined owns the record: reports this, and opens its page if it has one and the person wants it. */
async function showOther(
  { app, dialog, shell }: DesktopDeps['electron'],
  other: { dataFolder: string; pid: number },
): Promise<void> {
  const url = await findOtherCore(other.dataFolder);
  const { response } = await dialog.showMessageBox(otherCoreQuestion(other.pid, url));
  if (url !== null && response === 0) await shell.openExternal(url);
  app.exit(0);
}
