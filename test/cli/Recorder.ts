import { readFileSync } from 'node:fs';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { PtyCli } from './PtyCli.ts';
import type { RunOptions } from './runCli.ts';

/** Runs `hansard record` and reads its record. */
export class Recorder extends PtyCli {
  readonly #home: string;
  readonly #before: Set<string>;

  constructor(args: readonly string[], options: RunOptions) {
    const before = new Set(SessionFolder.list(options.home));
    super(['record', '-q', ...args], options);
    this.#home = options.home;
    this.#before = before;
  }

  get folder(): SessionFolder {
    const [id = 'none'] = SessionFolder.list(this.#home).filter((known) => !this.#before.has(known));
    return new SessionFolder(this.#home, id);
  }

  get raw(): Buffer {
    return readFileSync(this.folder.raw);
  }
}
