import { existsSync } from 'node:fs';
import { mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { asDiskError } from '../../store/files/Disk.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
/** Texts of errors for which those about record files do not fit. */
const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'writing there is not permitted',
  EPERM: 'writing there is not permitted',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a part of its path is a file',
  ENOENT: 'the folder was removed meanwhile',
  ELOOP: 'its path is a loop of links',
};

/** A folder that appears complete or not at all. Created before the recording, so that an error of the disk appears before it. */
export class CaptureFolder {
  /** Path for people: relative to the working folder if it is inside. */
  readonly shown: string;
  readonly #path: string;
  readonly #part: string;
  #isParentNew = false;

  private constructor(path: string) {
    this.#path = path;
    this.#part = `${path}.${process.pid}.part`;
    const near = relative('', path);
    this.shown = near.startsWith('..') ? path : near;
  }

  /** Throws a CliError if it exists already or cannot be created. */
  static async make(wanted: string): Promise<CaptureFolder> {
    const folder = new CaptureFolder(resolve(wanted));
    folder.#refuseExisting();
    try {
      folder.#isParentNew = (await mkdir(dirname(folder.#path), { recursive: true })) !== undefined;
      await mkdir(folder.#part, { mode: PRIVATE_FOLDER });
    } catch (thrown) {
      throw folder.#fault(thrown);
    }
    return folder;
  }

  /** Throws a CliError and removes everything if it fails. */
  async write(files: Readonly<Record<string, string>>): Promise<void> {
    try {
      for (const [name, text] of Object.entries(files))
        await writeFile(join(this.#part, name), text, { mode: PRIVATE_FILE, flag: 'wx' });
      this.#refuseExisting(); // another process may have made it meanwhile
      await rename(this.#part, this.#path);
    } catch (thrown) {
      throw thrown instanceof CliError ? thrown : this.#fault(thrown);
    }
  }

  /** Removes an incomplete folder. */
  async dispose(): Promise<void> {
    await rm(this.#part, { recursive: true, force: true });
    if (this.#isParentNew) await rmdir(dirname(this.#path)).catch(() => undefined); // fails if it contains the recording
  }

  #refuseExisting(): void {
    if (existsSync(this.#path))
      throw new CliError(`${this.shown} exists. Choose another --case, or remove that folder.`, EXIT.ioError);
  }

  #fault(thrown: unknown): CliError {
    const { code, reason } = asDiskError(thrown);
    const why = WORDS[code] === undefined ? reason : `${WORDS[code]} (${code})`;
    return new CliError(`${this.shown} could not be written: ${why}. Choose another folder with -o.`, EXIT.ioError);
  }
}
