import type { Notices } from './Notices.ts';

/** For all terminals together, once several are concerned. */
const ALL = 'record';

const ACTION =
  'Make room on the disk or repair the folder: recording resumes by itself, and a gap marks the missing bytes.';

/** The file's name, where the reason begins with it too. */
const TWICE = /^([\w.]+): (?=\1 )/;

/**
 * Terminals that cannot be recorded now, as one notice: of one terminal its own, of several one that counts them. It is taken back when
 * the last of them is recorded again.
 */
export class RecordingNotice {
  readonly #notices: Notices;
  /** Why, by terminal. */
  readonly #faults = new Map<string, string>();
  /** Key of the current notice. */
  #key: string | null = null;

  constructor(notices: Notices) {
    this.#notices = notices;
  }

  /** `fault` says which file cannot be written and why; null: the terminal is recorded again, or closed. */
  report(terminalId: string, fault: string | null, atMs: number): void {
    if ((this.#faults.get(terminalId) ?? null) === fault) return;
    if (fault === null) this.#faults.delete(terminalId);
    else this.#faults.set(terminalId, fault);
    const [first] = this.#faults;
    const key = !first ? null : this.#key === ALL || this.#faults.size > 1 ? ALL : keyOf(first[0]);
    if (this.#key !== null && this.#key !== key) this.#notices.clear(this.#key, atMs);
    this.#key = key;
    if (!first || key === null) return;
    this.#notices.raise({
      key,
      level: 'error',
      text: key === ALL ? this.#textOfAll() : `A terminal is not being recorded: ${first[1].replace(TWICE, '')}`,
      action: ACTION,
      terminalId: key === ALL ? null : first[0],
      atMs,
    });
  }

  #textOfAll(): string {
    const count = this.#faults.size;
    const reasons = new Set([...this.#faults.values()].map(reasonOf));
    return `${count} ${count === 1 ? 'terminal is' : 'terminals are'} not being recorded: ${[...reasons].join('; ')}`;
  }
}

function keyOf(terminalId: string): string {
  return `${ALL}/${terminalId}`;
}

/** `output.raw: the disk is full` → `the disk is full`. */
function reasonOf(fault: string): string {
  return fault.replace(/^[\w.]+: /, '').replace(/ while syncing$/, '');
}
