import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { TelemetryHeaders } from '../contract/telemetry.ts';
import { replaceFile } from '../store/files/replaceFile.ts';
import { headerFault, MOST_HEADERS } from './headerRules.ts';
import { readOwnFile } from './readOwnFile.ts';

/** telemetry/headers.json: the headers of each request, most of them secrets. The mode is 0600, and values leave this class only for the request. */
export class HeaderFile {
  readonly #folder: string;
  #headers: Readonly<Record<string, string>>;

  private constructor(folder: string, headers: Readonly<Record<string, string>>) {
    this.#folder = folder;
    this.#headers = headers;
  }

  /** Reads the file. `note` says that it could not be used; a copy is kept. */
  static async open(folder: string): Promise<{ file: HeaderFile; note: string | null }> {
    const { value, fault } = await readOwnFile(join(folder, 'headers.json'), TelemetryHeaders);
    const found = value?.headers ?? {};
    const sound = Object.entries(found).filter(([name, text]) => headerFault(name, text) === null);
    const isPart = sound.length < Object.keys(found).length;
    const note =
      fault === null
        ? isPart && 'Some telemetry headers are not valid and are not sent. Set them again.'
        : `The telemetry headers could not be read (${fault}). Set them again.`;
    return { file: new HeaderFile(folder, Object.fromEntries(sound)), note: note || null };
  }

  get names(): string[] {
    return Object.keys(this.#headers).sort();
  }

  get all(): Readonly<Record<string, string>> {
    return this.#headers;
  }

  /** Sets a header. Resolves to null, or to the reason why it was not set. */
  async set(name: string, value: string): Promise<string | null> {
    const fault = headerFault(name, value);
    if (fault) return fault;
    const others = this.#without(name);
    if (Object.keys(others).length >= MOST_HEADERS) return `At most ${MOST_HEADERS} headers are sent.`;
    await this.#replace({ ...others, [name]: value });
    return null;
  }

  /** Removes a header. Resolves to false if it was not set. */
  async remove(name: string): Promise<boolean> {
    const others = this.#without(name);
    if (Object.keys(others).length === this.names.length) return false;
    await this.#replace(others);
    return true;
  }

  /** Returns the headers without this one. Names of headers are case-insensitive. */
  #without(name: string): Record<string, string> {
    const isOther = ([one]: [string, string]): boolean => one.toLowerCase() !== name.toLowerCase();
    return Object.fromEntries(Object.entries(this.#headers).filter(isOther));
  }

  async #replace(headers: Record<string, string>): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file: TelemetryHeaders = { version: 1, headers };
    await replaceFile(join(this.#folder, 'headers.json'), `${JSON.stringify(file)}\n`);
    this.#headers = headers;
  }
}
