import type { PastFile } from '../store/past/PastFile.ts';
import type { Piece } from './readLineLog.ts';

/**
 * A transaction ends after about this time. One for each log took 1.7 times as long in all (row 22 of the benchmarks), since the keys are random and
 * each transaction writes most pages of their indexes. Longer ones would only make other writers wait.
 */
const BATCH_MS = 100;
const KEYS = ['bytes', 'conversations', 'messages', 'copies', 'badLines'] as const;
type Sum = Record<(typeof KEYS)[number], number>;

/** Puts pieces of several logs in one transaction, and adds up what they wrote. If a transaction is lost, its pieces count no more. */
export class ImportBatches {
  readonly #file: PastFile;
  readonly #paths = new Set<string>();
  #sum: Readonly<Sum> = { bytes: 0, conversations: 0, messages: 0, copies: 0, badLines: 0 };
  #committed = this.#sum;
  #beganMs = 0;

  constructor(file: PastFile) {
    this.#file = file;
  }

  get sum(): Readonly<Sum> {
    return this.#sum;
  }

  /** Opens a transaction for a piece of this log, or keeps the open one. Throws errors of the disk: then ask `takeLost`. */
  open(path: string): void {
    if (this.#paths.size > 0 && performance.now() - this.#beganMs > BATCH_MS) this.commit();
    if (this.#paths.size === 0) {
      this.#file.begin();
      this.#beganMs = performance.now();
    }
    this.#paths.add(path);
  }

  add(piece: Piece): void {
    const sum = { ...this.#sum };
    for (const key of KEYS) sum[key] += piece[key];
    this.#sum = sum;
  }

  /** Throws errors of the disk: then ask `takeLost`. */
  commit(): void {
    if (this.#paths.size === 0) return;
    this.#file.commit();
    this.#paths.clear();
    this.#committed = this.#sum;
  }

  /** Returns the logs that have pieces in a lost transaction; empty while the transaction is open. */
  takeLost(): string[] {
    if (this.#file.isInTransaction) return [];
    const lost = [...this.#paths];
    this.#paths.clear();
    this.#sum = this.#committed;
    return lost;
  }
}
