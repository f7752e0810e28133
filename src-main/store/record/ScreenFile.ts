import type { ScreenDelta } from '../../contract/screen/screenRecord.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { detach } from '../../util/strayErrors.ts';
import { asDiskError } from '../files/Disk.ts';
import { JsonLines, type JsonLinesOptions } from '../files/JsonLines.ts';
import { prepareRoll } from './rollScreenFile.ts';

/**
 * Half a day of a spinner, which writes 1.6 kB a second, or a quarter of a day of htop, which writes 3 kB (measured). With a larger file,
 * showing an old moment would take longer than a person waits (1.5 s for the oldest).
 */
const MAX_BYTES = 64 * 1024 * 1024;

export interface ScreenFileOptions extends JsonLinesOptions {
  /** Later lines are useless without a keyframe: the next one should be one. */
  onKeyframeWanted: () => void;
  maxBytes?: number;
}

/**
 * screen.jsonl of a running terminal: the changes of the screen, so that the lines from any keyframe on reproduce what it
 * showed. At the start, and after the disk refused, it accepts only a keyframe first. Above `maxBytes` it drops its older
 * half. Errors of the disk never throw.
 */
export class ScreenFile implements IDisposable {
  readonly #path: string;
  readonly #options: ScreenFileOptions;
  readonly #maxBytes: number;
  #lines: JsonLines<ScreenDelta>;
  #needsKeyframe = true;
  #rollAtBytes: number;
  #rolling: Promise<void> | null = null;
  #isClosed = false;

  constructor(path: string, options: ScreenFileOptions) {
    this.#path = path;
    this.#options = options;
    this.#maxBytes = options.maxBytes ?? MAX_BYTES;
    this.#rollAtBytes = this.#maxBytes;
    this.#lines = this.#open();
  }

  get size(): number {
    return this.#lines.size;
  }

  /** False if it was not accepted: a keyframe is needed first, or the disk refuses. */
  append(delta: ScreenDelta): boolean {
    if (this.#isClosed || (this.#needsKeyframe && !delta.keyframe)) return false;
    if (this.#lines.fault) {
      this.#needsKeyframe = true;
      return false;
    }
    const before = this.#lines.size;
    detach('ScreenFile', this.#lines.append(delta));
    const isNewFile = this.#lines.size < before; // the old file was deleted
    this.#needsKeyframe = isNewFile && !delta.keyframe;
    if (this.#needsKeyframe) this.#options.onKeyframeWanted();
    if (this.#lines.size >= this.#rollAtBytes) this.#rolling ??= this.#roll();
    return true;
  }

  /** Resolves when everything is synced and the descriptor is closed. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#rolling;
    await this.#lines.close();
  }

  dispose(): void {
    detach('ScreenFile', this.close());
  }

  #open(): JsonLines<ScreenDelta> {
    const { onFault, ...options } = this.#options;
    return JsonLines.open<ScreenDelta>(this.#path, {
      ...options,
      onFault: (fault) => {
        onFault?.(fault);
        if (fault === null && this.#needsKeyframe) options.onKeyframeWanted();
      },
    });
  }

  async #roll(): Promise<void> {
    this.#rollAtBytes += this.#maxBytes / 4; // if rolling fails, do not retry at every line
    try {
      const roll = await prepareRoll(this.#path, this.#maxBytes / 2);
      if (!roll) this.#options.onKeyframeWanted();
      else await this.#switchTo(roll).finally(() => roll.close());
    } catch (thrown) {
      this.#options.log('screen_roll_failed', { path: this.#path, reason: asDiskError(thrown).reason });
    }
    this.#rolling = null;
  }

  async #switchTo(roll: { finish(): void }): Promise<void> {
    if (this.#isClosed || this.#lines.fault) return; // the lines that wait for the disk belong to the old file
    roll.finish();
    const old = this.#lines;
    this.#lines = this.#open();
    this.#rollAtBytes = this.#maxBytes;
    this.#options.log('screen_rolled', { path: this.#path, from: old.size, to: this.#lines.size });
    await old.close();
  }
}
