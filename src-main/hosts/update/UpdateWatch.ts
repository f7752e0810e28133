import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Notices } from '../../notices/Notices.ts';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import type { Log } from '../../util/Log.ts';
import { type Program, programStamp, readProgram } from './readProgram.ts';

const LOOK_EVERY_MS = 10_000;
/** Key of the notice. */
export const UPDATED = 'updated';

export interface UpdateWatchSpec {
  /** Folder of the installation from which this process was started. */
  readonly root: string;
  readonly version: string;
  /** The build of this process. */
  readonly program: Program;
  readonly notices: Pick<Notices, 'raise' | 'clear'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether a window may restart the core: then no shell ends. */
  readonly mayRestart: () => boolean;
}

/**
 * Raises a notice while the installation has another build than this process, as after `npm i -g` or a new build. Parts that this process has not
 * loaded yet are gone then. It waits until no file has changed between two looks, so that a copy that is being made is not taken for an update.
 */
export class UpdateWatch implements IDisposable {
  readonly #spec: UpdateWatchSpec;
  /** The build that was installed at the last look that found one. */
  #found: Program;
  #lastStamp: string | null;
  /** A look saw other files than those of `#found`, or no files. */
  #isAway = false;
  #timer: IDisposable;

  constructor(spec: UpdateWatchSpec) {
    this.#spec = spec;
    this.#found = spec.program;
    this.#lastStamp = spec.program.stamp;
    this.#timer = this.#next();
  }

  dispose(): void {
    this.#timer.dispose();
  }

  #next(): IDisposable {
    return this.#spec.clock.after(LOOK_EVERY_MS, () => {
      this.#timer = this.#next();
      this.#look();
    });
  }

  #look(): void {
    const { root, program, notices, clock } = this.#spec;
    const stamp = programStamp(root);
    const isSettled = stamp !== null && stamp === this.#lastStamp;
    this.#lastStamp = stamp;
    if (stamp !== this.#found.stamp) this.#isAway = true;
    if (!isSettled || !this.#isAway) return;
    const found = stamp === this.#found.stamp ? this.#found : readProgram(root);
    if (found === null) return;
    const isKnown = found.id === this.#found.id;
    this.#found = found;
    this.#isAway = false;
    // also clears the notice of a part that was missed while the folder was away
    if (found.id === program.id) notices.clear(UPDATED, clock.nowMs());
    else if (!isKnown) this.#raise();
  }

  #raise(): void {
    const { root, version, notices, clock, log, mayRestart } = this.#spec;
    const installed = versionAt(root);
    log('updated', { version, installed });
    const build = installed === version ? 'Another build of Hansard' : `Hansard ${installed}`;
    const isSafe = mayRestart();
    notices.raise({
      key: UPDATED,
      level: 'info',
      text: `${build} was installed while this one runs.`,
      action: isSafe
        ? 'Restart Hansard to use it. Shells and agents continue.'
        : 'Quit Hansard and start it again to use it.',
      ...(isSafe && { offers: 'restart' }),
      terminalId: null,
      atMs: clock.nowMs(),
    });
  }
}

function versionAt(root: string): string {
  try {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version?: unknown };
    return String(version);
  } catch {
    return '?';
  }
}
