import type { MessageBoxOptions } from 'electron';

/** The used parts of electron-updater; loaded when the person first checks for updates. */
export interface Updater {
  autoDownload: boolean;
  setFeedURL(feed: { provider: 'generic'; url: string }): void;
  checkForUpdates(): Promise<{ isUpdateAvailable: boolean; updateInfo: { version: string } } | null>;
  downloadUpdate(): Promise<unknown>;
  quitAndInstall(): void;
}

export interface UpdatesDeps {
  /** Setting `update.feed`. */
  feed(): string;
  load(): Promise<Updater>;
  ask(question: MessageBoxOptions): Promise<number>;
}

/** Looks for a new version, and only when the person asks: no start and no timer reaches the network. */
export class Updates {
  readonly #deps: UpdatesDeps;
  #isLooking = false;

  constructor(deps: UpdatesDeps) {
    this.#deps = deps;
  }

  /** Shows every outcome in a dialog. A second call during a check does nothing. */
  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.#look();
    } catch (error) {
      await this.#tell(
        'Could not look for a new version.',
        error instanceof Error ? error.message.slice(0, 500) : String(error),
      );
    } finally {
      this.#isLooking = false;
    }
  }

  async #look(): Promise<void> {
    const feed = this.#deps.feed();
    if (feed === '')
      return this.#tell(
        'No update feed is set.',
        'Put the https address of a feed into "update.feed" of the settings.',
      );
    if (!isFeed(feed))
      return this.#tell(
        'The update feed cannot be used.',
        '"update.feed" must be an https address without a user name.',
      );
    const updater = await this.#deps.load();
    updater.autoDownload = false;
    updater.setFeedURL({ provider: 'generic', url: feed });
    const found = await updater.checkForUpdates();
    if (!found?.isUpdateAvailable) return this.#tell('Hansard is up to date.', '');
    const { version } = found.updateInfo;
    const download = await this.#deps.ask(question(`Hansard ${version} is available.`, ['Download', 'Later']));
    if (download !== 0) return;
    await updater.downloadUpdate();
    const install = await this.#deps.ask(
      question(`Hansard ${version} is downloaded.`, ['Restart and install', 'Later']),
    );
    if (install === 0) updater.quitAndInstall();
  }

  async #tell(message: string, detail: string): Promise<void> {
    await this.#deps.ask({ ...question(message, ['OK']), detail });
  }
}

/** A feed decides which code runs next, so it has to use https. */
export function isFeed(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password, hostname } = new URL(address);
  return protocol === 'https:' && hostname !== '' && username === '' && password === '';
}

function question(message: string, buttons: string[]): MessageBoxOptions {
  return { type: 'info', title: 'Hansard', message, buttons, defaultId: 0, cancelId: buttons.length - 1, noLink: true };
}
