import type * as Electron from 'electron';
import type { createIPCHandler } from 'electron-trpc/main';
import { z } from 'zod';
import { placeHash, readCardLink } from '../../contract/cardLink.ts';
import type { Settings } from '../../contract/settings.ts';
import type { WindowWish } from '../../contract/window/desktop.ts';
import { systemClock } from '../../util/Clock.ts';
import { Disposables } from '../../util/Disposables.ts';
import type { Log } from '../../util/Log.ts';
import { detach } from '../../util/strayErrors.ts';
import { type Bridge, connectBridge } from './connectBridge.ts';
import type { DesktopCore } from './DesktopCore.ts';
import { linkRefusal } from './linkRefusal.ts';
import { lostQuestion } from './lostQuestion.ts';
import { type CloseReason, judgeClose, type QuitAnswer, quitQuestion, readAnswer } from './quitQuestion.ts';
import { isOurPage } from './senderCheck.ts';
import { DesktopSystem } from './system/DesktopSystem.ts';
import type { Updater } from './system/Updates.ts';
import { DesktopWindows } from './windows/DesktopWindows.ts';
import { followWishes } from './windows/windowWishes.ts';

/** The parts of Electron's main process that the desktop front uses; passed in, so that tests need no binary. */
export type ElectronParts = Pick<
  typeof Electron,
  | 'app'
  | 'BrowserWindow'
  | 'dialog'
  | 'ipcMain'
  | 'globalShortcut'
  | 'Menu'
  | 'nativeImage'
  | 'nativeTheme'
  | 'powerMonitor'
  | 'protocol'
  | 'screen'
  | 'session'
  | 'shell'
  | 'Tray'
>;

export interface DesktopDeps {
  electron: ElectronParts;
  createIPCHandler: typeof createIPCHandler;
  log: Log;
  loadUpdater(): Promise<Updater>;
}

/** Data that a second start passes on. Any process of this user can send it. */
const Welcome = z.object({ dir: z.string().max(4096).nullable(), link: z.string().max(4096).nullable().default(null) });
/** Shells get a second to hang up; a core that takes 10 s has a disk that does not answer, and must not delay the end of the person's session. */
const END_WITHIN_MS = 10_000;

/** The desktop app: the windows of one core, which may run in another process. Electron's objects are arguments; other files of this folder make the decisions. */
export class DesktopApp {
  readonly #electron: ElectronParts;
  readonly #core: DesktopCore;
  readonly #windows: DesktopWindows;
  readonly #bridge: Bridge;
  readonly #owned = new Disposables();
  readonly #system: DesktopSystem;
  #life: 'open' | 'asking' | 'ending' | 'ended' = 'open';
  /** The person's session is ending, and nothing here may delay or cancel it. */
  #isLogout = false;
  #whileRunning: Settings['quit.whileRunning'] = 'ask';

  constructor(deps: DesktopDeps, core: DesktopCore) {
    this.#electron = deps.electron;
    this.#core = core;
    this.#windows = new DesktopWindows({
      ...deps,
      dataFolder: core.dataFolder,
      bridge: () => this.#bridge,
      isEnding: () => this.#life === 'ended' || this.#isLogout,
      onLastClose: () => detach('DesktopApp', this.close('window')),
    });
    const pageOf = (contents: Electron.WebContents): Electron.WebContents | null => this.#windows.pageOf(contents);
    this.#bridge = connectBridge(deps, core, pageOf);
    followWishes(deps.electron.ipcMain, {
      isOurs: (event) => isOurPage(event, pageOf(event.sender)),
      grant: (wish, senderId) => this.#grant(wish, senderId),
    });
    this.#system = new DesktopSystem({
      ...deps,
      front: () => this.#windows.front,
      newWindow: () => detach('DesktopApp', this.#windows.openAnother()),
      show: () => detach('DesktopApp', this.show()),
      ask: (question) => this.#showQuestion(question),
    });
  }

  #grant(wish: WindowWish, senderId: number): void {
    if (wish === 'raise') this.#windows.raise(senderId);
    else if (wish === 'new') detach('DesktopApp', this.#windows.openAnother());
    else if (wish !== 'update' && 'new' in wish) detach('DesktopApp', this.#windows.openAnother(wish.new));
    else this.#system.grant(wish, senderId);
  }

  /** Starts everything that lasts as long as the app, then shows the window with the folder or link of this start. */
  async start({ dir, link }: z.infer<typeof Welcome>): Promise<void> {
    const { app, powerMonitor } = this.#electron;
    this.#owned.add(
      await this.#core.serve({
        end: () => detach('DesktopApp', this.close('signal')),
        hasWindow: () => this.#windows.count > 0,
      }),
    );
    this.#core.onLost((left) => detach('DesktopApp', this.#lost(left)));
    this.#followSettings();
    this.#system.start();
    this.#owned.add(this.#system);
    // On macOS this comes before `before-quit`, which would call the logout off if it were prevented. Prevented itself, it only delays
    // the system until `app.quit()`; Electron's types leave its event out.
    powerMonitor.on('shutdown', (event?: Pick<Electron.Event, 'preventDefault'>) => {
      event?.preventDefault();
      this.#isLogout = true;
      detach('DesktopApp', this.close('signal'));
    });
    app.on('activate', () => detach('DesktopApp', this.show()));
    app.on('window-all-closed', () => undefined); // the decision was made before the window closed
    app.on('before-quit', (event) => {
      if (this.#life === 'ended' || this.#isLogout) return;
      event.preventDefault();
      detach('DesktopApp', this.close('quit'));
    });
    if (dir !== null) await this.#core.open(dir);
    await (link === null ? this.show() : this.openLink(link));
  }

  /** Opens the target of a system link. Reports a link that is not ours and does nothing else. */
  async openLink(link: string): Promise<void> {
    const reading = readCardLink(link);
    await this.show(reading.ok ? placeHash(reading.place) : '');
    if (!reading.ok) await this.#showQuestion(linkRefusal(reading.fault));
  }

  /** Brings the last used window to the front; opens a new one if all were closed while the core kept running. */
  async show(hash = ''): Promise<void> {
    if (this.#life !== 'ending' && this.#life !== 'ended') await this.#windows.show(hash);
  }

  /** Another start of the app: its folder becomes a tab here, its link is followed, and the window comes to the front. */
  async welcome(data: unknown): Promise<void> {
    const { dir, link } = Welcome.safeParse(data).data ?? { dir: null, link: null };
    if (dir !== null) await this.#core.open(dir);
    await (link === null ? this.show() : this.openLink(link));
  }

  /** Ends the app, keeps it in the background, or changes nothing. While one request is being decided, only a signal is accepted. */
  async close(reason: CloseReason): Promise<void> {
    if (this.#life !== 'open' && !(this.#life === 'asking' && reason === 'signal')) return;
    this.#life = 'asking';
    const running = await this.#core.runningPrograms();
    if (reason === 'window' && this.#system.keepsRunning) {
      this.#life = 'open';
      return this.#leave();
    }
    const verdict = judgeClose({ reason, running, platform: process.platform, whileRunning: this.#whileRunning });
    const answer = verdict === 'ask' ? await this.#ask(running) : verdict;
    if (this.#life !== 'asking') return; // a signal arrived meanwhile
    if (answer === 'end') return this.#end();
    this.#life = 'open';
    if (answer === 'keep') await this.#leave();
  }

  async #ask(running: string[]): Promise<QuitAnswer> {
    const question = quitQuestion(running);
    const { answer, isRemembered } = readAnswer(await this.#showQuestion(question));
    // If the disk refuses, the answer still counts but is not remembered.
    if (isRemembered && answer !== 'cancel')
      await this.#core.setSettings({ 'quit.whileRunning': answer }).catch(() => undefined);
    return answer;
  }

  /** The core that was joined is gone: the window shows what was and can do nothing. */
  async #lost(left: { doShellsRun: boolean }): Promise<void> {
    if (this.#life === 'ending' || this.#life === 'ended') return;
    if ((await this.#showQuestion(lostQuestion(left))).response === 0) this.#electron.app.relaunch();
    this.#life = 'asking'; // whatever else was being asked: there is nothing left to keep
    await this.#end();
  }

  #showQuestion(question: Electron.MessageBoxOptions): Promise<Electron.MessageBoxReturnValue> {
    const { dialog } = this.#electron;
    const { front } = this.#windows;
    return front ? dialog.showMessageBox(front, question) : dialog.showMessageBox(question);
  }

  /** Closes the windows and keeps the core and its terminals. */
  async #leave(): Promise<void> {
    await this.#windows.closeAll();
  }

  /** Writes everything to disk first, then closes the windows and ends the process. */
  async #end(): Promise<void> {
    this.#life = 'ending';
    await this.#windows.remember();
    const deadline = systemClock.after(END_WITHIN_MS, () => this.#electron.app.exit(1));
    this.#owned.dispose();
    await this.#core.leave();
    deadline.dispose();
    this.#life = 'ended';
    this.#electron.app.quit();
  }

  /** The page applies the theme itself; this applies it to the window's frame and the system's dialogs. */
  #followSettings(): void {
    const { nativeTheme } = this.#electron;
    const following = this.#core.onSettings((settings) => {
      nativeTheme.themeSource = settings.theme;
      this.#whileRunning = settings['quit.whileRunning'];
      this.#system.follow(settings);
    });
    this.#owned.add(following);
  }
}
