import { nodeRestDisk, type RestDisk } from '../../../src-main/store/archive/RestDisk.ts';
import { errno } from '../FaultyDisk.ts';

/** The real disk, except that call number `failAt` (from 1) fails. A failed write writes half of its bytes. */
export class FaultyRestDisk implements RestDisk {
  calls = 0;
  readonly #failAt: number;
  readonly #code: string;

  constructor(failAt: number, code = 'ENOSPC') {
    this.#failAt = failAt;
    this.#code = code;
  }

  write: RestDisk['write'] = async (file, bytes) => {
    if (this.#refuses()) {
      await file.writeFile(bytes.subarray(0, bytes.length >> 1));
      throw errno(this.#code);
    }
    await nodeRestDisk.write(file, bytes);
  };
  sync: RestDisk['sync'] = (file) => this.#do(() => nodeRestDisk.sync(file));
  rename: RestDisk['rename'] = (from, to) => this.#do(() => nodeRestDisk.rename(from, to));
  syncFolder: RestDisk['syncFolder'] = (path) => this.#do(() => nodeRestDisk.syncFolder(path));
  remove: RestDisk['remove'] = (path) => this.#do(() => nodeRestDisk.remove(path));

  async #do(call: () => Promise<void>): Promise<void> {
    if (this.#refuses()) throw errno(this.#code);
    await call();
  }

  #refuses(): boolean {
    this.calls += 1;
    return this.calls === this.#failAt;
  }
}
