import { join } from 'node:path';
import { hasFormerDays, Settings, withoutFormerDays } from '../contract/settings.ts';
import { readJsonFile, replaceFile } from '../store/files/replaceFile.ts';
import { Emitter } from '../util/Emitter.ts';
import { follow } from '../util/follow.ts';

/** settings.json: read once, written whole on every change. Keys that a newer version wrote are kept. */
export class SettingsStore {
  readonly #path: string;
  readonly #changed = new Emitter<Settings>();
  #value: Settings;

  private constructor(path: string, value: Settings) {
    this.#path = path;
    this.#value = value;
  }

  /** `note` reports that the file could not be used (a copy is kept under another name), or that a limit changed. */
  static async open(dataFolder: string): Promise<{ settings: SettingsStore; note: string | null }> {
    const path = join(dataFolder, 'settings.json');
    const read = await readJsonFile(path, Settings.loose());
    if (read.status === 'ok') {
      const found = read.value as Settings;
      const settings = new SettingsStore(path, withoutFormerDays(found));
      return { settings, note: hasFormerDays(found) ? await settings.#dropFormerDays() : null };
    }
    const note =
      read.status === 'bad' ? `settings.json could not be used (${read.reason}); it was kept as ${read.keptAs}` : null;
    return { settings: new SettingsStore(path, Settings.parse({})), note };
  }

  get value(): Settings {
    return this.#value;
  }

  async update(change: { [K in keyof Settings]?: Settings[K] | undefined }): Promise<Settings> {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const chosen = 'retention.days' in given ? { 'retention.daysChosen': true } : {};
    this.#value = Settings.loose().parse({ ...this.#value, ...given, ...chosen }) as Settings;
    await replaceFile(this.#path, `${JSON.stringify(this.#value, null, 2)}\n`);
    this.#changed.fire(this.#value);
    return this.#value;
  }

  /** The note is repeated at each start until the file could be written. */
  async #dropFormerDays(): Promise<string> {
    await this.update({}).catch(() => undefined); // the limit does not hold either way
    return 'Closed terminals are no longer removed for their age: settings.json held the former default of 30 days, which is 0 (never) now. Set the days in the settings if you want a limit';
  }

  follow(signal?: AbortSignal): AsyncGenerator<Settings> {
    return follow(this.#changed.on, () => [this.#value], signal);
  }
}
